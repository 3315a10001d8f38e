// NET functions: addresses as BYTES in network order, hosts of URLs.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/net_functions
import type { SqlExpression } from '../../target/ast.ts';
import { bare, call, iff, infix, inList, isNull, lit, NULL, not, rarely } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { defineHelper } from '../../target/helpers.ts';
import type { Family } from '../define.ts';
import { strict } from '../strict.ts';

const size = (address: SqlExpression): SqlExpression => call('length', address);
const isAddress = (address: SqlExpression): SqlExpression => inList(size(address), [lit(4), lit(16)]);
const isOutside = (value: SqlExpression, least: SqlExpression, most: SqlExpression): SqlExpression =>
  infix('OR', infix('<', value, least), infix('>', value, most));

/** Four bytes, the highest first. */
const ipv4Bytes = (number: SqlExpression): SqlExpression => call('unhex', call('leftPad', call('hex', number), lit(8), lit('0')));
const ipv4Number = (address: SqlExpression): SqlExpression => call('reinterpretAsUInt32', call('reverse', address));

const parsed = (text: SqlExpression): SqlExpression =>
  call(
    'multiIf',
    call('isIPv4String', text),
    ipv4Bytes(call('toUInt32', call('IPv4StringToNumOrDefault', text))),
    call('isIPv6String', text),
    call('substring', call('IPv6StringToNumOrDefault', text), lit(1)),
    NULL,
  );

/** Scheme with //, user and port go; what is left up to the path is the host. A backslash is a slash here. */
const HOST = '^(?:(?:[^:/\\\\?#]*:)?[/\\\\]{2})?(?:[^/\\\\?#]*@)?(\\[[^\\]/\\\\?#]*\\]?[^/\\\\?#:@]*|[^/\\\\?#:@]*)';
const namedHost = (url: SqlExpression): SqlExpression => call('extract', call('trimBoth', url, lit(' \t\n\v\f\r')), lit(HOST));

/** Dots in front of a host go, and of several behind it one stays. */
function hostOf(url: SqlExpression): SqlExpression {
  const host = call('trimLeft', namedHost(url), lit('.'));
  return iff(call('endsWith', host, lit('..')), call('concat', call('trimRight', host, lit('.')), lit('.')), host);
}

/** Most addresses: nothing stands around the host, or has to go from it. */
const PLAIN = '^[a-z]+://[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+(?:[/?#]|$)';

const host = defineHelper('net_host', ['_url'], (url) =>
  rarely(call('match', url, lit(PLAIN)), call('domain', url), [url], (odd) => call('nullIf', hostOf(odd), lit(''))),
);

export const net = (): Family => ({
  'NET.HOST': strict('url STRING -> STRING', ({ url }) => (isConstant(url) ? call('nullIf', hostOf(url), lit('')) : host(url))),
  'NET.IP_FROM_STRING': strict('address STRING -> BYTES', ({ address }, c) => {
    const bytes = parsed(address);
    return c.failIf(isNull(bytes), 'NET.IP_FROM_STRING: the text is not an IP address', bytes);
  }),
  'NET.SAFE_IP_FROM_STRING': strict('address STRING -> BYTES', ({ address }) => parsed(address)),
  'NET.IP_TO_STRING': strict('address BYTES -> STRING', ({ address }, c) => {
    const v6 = call('IPv6NumToString', call('toFixedString', call('substring', address, lit(1), lit(16)), lit(16)));
    const text = iff(infix('=', size(address), lit(4)), call('IPv4NumToString', ipv4Number(address)), v6);
    return c.failIf(not(isAddress(address)), 'NET.IP_TO_STRING: an address has 4 or 16 bytes', text);
  }),
  'NET.IP_NET_MASK': strict('output_length INT64, prefix_length INT64 -> BYTES', ({ output_length, prefix_length }, c) => {
    const [bytes, ones] = [bare(output_length), bare(prefix_length)];
    const bits = infix('*', bytes, lit(8));
    const bad = infix('OR', not(inList(bytes, [lit(4), lit(16)])), isOutside(ones, lit(0), bits));
    const mask = call('unbin', call('rightPad', call('repeat', lit('1'), ones), call('toUInt32', bits), lit('0')));
    return c.failIf(bad, 'NET.IP_NET_MASK: the lengths are out of range', mask);
  }),
  'NET.IP_TRUNC': strict('address BYTES, prefix_length INT64 -> BYTES', ({ address, prefix_length }, c) => {
    const kept = bare(prefix_length);
    const bits = call('toInt64', infix('*', size(address), lit(8)));
    const bad = infix('OR', not(isAddress(address)), isOutside(kept, lit(0), bits));
    const cut = call('unbin', call('rightPad', call('substring', call('bin', address), lit(1), kept), call('toUInt32', bits), lit('0')));
    return c.failIf(bad, 'NET.IP_TRUNC: an address has 4 or 16 bytes, and the prefix can’t be longer than the address', cut);
  }),
  'NET.IPV4_FROM_INT64': strict('number INT64 -> BYTES', ({ number }, c) =>
    c.failIf(
      isOutside(number, lit(-(2n ** 31n)), lit(2n ** 32n - 1n)),
      'NET.IPV4_FROM_INT64: the number is out of range',
      ipv4Bytes(call('bitAnd', number, lit(2n ** 32n - 1n))),
    ),
  ),
  'NET.IPV4_TO_INT64': strict('address BYTES -> INT64', ({ address }, c) =>
    c.failIf(
      infix('!=', size(address), lit(4)),
      'NET.IPV4_TO_INT64: the address does not have 4 bytes',
      call('toInt64', ipv4Number(address)),
    ),
  ),
});
