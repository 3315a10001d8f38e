// Finds IPv4 and IPv6 addresses in text, and nothing that only resembles them: versions, times, hardware addresses, hexadecimal digits.
import { isIPv6 } from 'node:net';

export const REDACTED = 'REDACTED';

/** A number of an IPv4 address; zeros may stand in front. */
const OCTET = '(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)';
/**
 * Not inside a longer number or a longer row of numbers (1.2.3.4.5). The digits that end an escape (%20, \u0020) do not belong to the
 * number behind it.
 */
const IPV4 = new RegExp(`(?:(?<!\\d)(?<!\\d\\.)|(?<=%[\\da-f]{2})|(?<=\\\\u[\\da-f]{4}))${OCTET}(?:\\.${OCTET}){3}(?!\\d|\\.\\d)`, 'gi');

/**
 * What may hold an IPv6 address: groups of hexadecimal digits with two colons or more, which may be written %3A, and an IPv4 address or a
 * port at the end. The second part is a zone: fe80::1%eth0.
 */
const GROUPS = /(?<![\da-f:])([\da-f]*(?:(?::|%3a)[\da-f]*){2,}(?:\.\d{1,5}){0,3})(%(?:25)?[a-z][\w.-]*)?/gi;

/** `text` with REDACTED in place of each address. */
export function redactText(text: string): string {
  const shown = mayHoldGroups(text) ? text.replace(GROUPS, (...match) => redactGroups(match as GroupsMatch)) : text;
  return shown.includes('.') ? shown.replace(IPV4, REDACTED) : shown;
}

function mayHoldGroups(text: string): boolean {
  const first = text.indexOf(':');
  return (first !== -1 && text.indexOf(':', first + 1) !== -1) || /%3a/i.test(text);
}

type GroupsMatch = [whole: string, groups: string, zone: string | undefined, at: number, text: string];

function redactGroups([whole, groups, zone, at, text]: GroupsMatch): string {
  const after = zone === undefined ? text.charAt(at + whole.length) : '';
  const place = addressIn(groups, text.slice(Math.max(at - 2, 0), at), after);
  if (place === undefined) return whole;
  const rest = place.end === groups.length ? '' : whole.slice(place.end);
  return whole.slice(0, place.start) + REDACTED + rest;
}

/**
 * Where in `groups` the address stands, given the two characters before and the one after. Nine groups may begin with a label or end with a
 * port: then all of them are taken.
 */
function addressIn(groups: string, before: string, after: string): { readonly start: number; readonly end: number } | undefined {
  const [first = 0, ...otherStarts] = starts(groups, before);
  const [last = 0, ...otherEnds] = ends(groups, after);
  const places = [
    ...[last, ...otherEnds].map((end) => ({ start: first, end })),
    ...otherStarts.map((start) => ({ start, end: last })),
  ].filter(({ start, end }) => isAddress(groups.slice(start, end)));
  if (places.length === 0) return undefined;
  return { start: Math.min(...places.map(({ start }) => start)), end: Math.max(...places.map(({ end }) => end)) };
}

/** Where the address may begin: behind a colon or the end of a word (node:2001:db8::1), an escape (%5B, \f), or a label (add:2001:db8::1). */
function starts(groups: string, before: string): readonly number[] {
  const colon = /^[\da-f]*(?::|%3a)/i.exec(groups)?.[0].length ?? 0;
  const stray = /^(?::|%3a)(?!:|%3a)/i.test(groups);
  if (stray || (/[g-z_]$/i.test(before) && !/\\[nrt]$/.test(before))) return [colon];
  const escaped = before.endsWith('\\') ? 1 : 0;
  return [0, before.endsWith('%') ? 2 : escaped, colon];
}

/** Where it may end: before a colon or a word (2001:db8::1:http), or a port behind a colon or a dot. */
function ends(groups: string, after: string): readonly number[] {
  const colon = /(?::|%3a)[\da-f]*(?:\.[\d.]*)?$/i.exec(groups)?.index ?? 0;
  const stray = /(?<!:|%3a)(?::|%3a)$/i.test(groups);
  if (stray || /[g-z_]/i.test(after)) return [colon];
  const dot = groups.indexOf('.');
  return [groups.length, dot === -1 ? colon : dot, colon];
}

/** Eight groups of two digits are a hardware address of 64 bits; `::` alone is nobody's, and an operator elsewhere. */
function isAddress(groups: string): boolean {
  const text = groups.replace(/%3a/gi, ':');
  return isIPv6(text) && text !== '::' && !/^[\da-f]{2}(?::[\da-f]{2}){7}$/i.test(text);
}
