// The text of a project file as errors may show it: what is or may be a secret is blank, and everything else stands where it stood.
import { nearest } from '../base/errors.ts';
import { HIDDEN_NAMES, SETTING_NAMES, type SettingName } from './settings.ts';

/** Matches names that passwords and the like have elsewhere. */
const SECRET = /passw|passphrase|pwd|secret|token|credential|authorization|api[-_]?key/i;
const KEY = /(["']?)([A-Za-z][\w.-]*)\1\s*[:=]/g;

/**
 * The text without the values of secret settings, of keys that are called like secrets or mistyped, and of keys at the left that are like no
 * setting; and without the logins in addresses. Its length and its lines stay, so that spans into the text hold. `sections` are keys at the
 * left that hold something else; below those of `open` nothing is taken for a secret.
 */
export function withoutSecrets(text: string, sections: readonly string[], open: readonly string[]): string {
  const hides = (key: string, leftmost: boolean): boolean => {
    const like = nearest(key, SETTING_NAMES) as SettingName | undefined; // one of the candidates
    return SECRET.test(key) || (like === undefined ? leftmost && !sections.includes(key) : HIDDEN_NAMES.includes(like));
  };
  let section = '';
  /** Indentation of the key whose value may go on in the lines that follow. */
  let hiddenBelow: number | undefined;
  const shown = (line: string): string => {
    const indent = line.search(/\S/);
    if (indent === -1) return line;
    const keys = [...line.matchAll(KEY)];
    const [first] = keys;
    if (hiddenBelow !== undefined) {
      if (indent > hiddenBelow || first === undefined) return blank(line, indent);
      hiddenBelow = undefined;
    }
    if (indent === 0 && first === undefined && !/^(?:#|---)/.test(line)) return blank(line, 0); // no line of settings at all
    const leftmost = indent === 0 && first?.index === 0 ? first[2] : undefined;
    if (leftmost !== undefined) section = leftmost;
    if (open.includes(section)) return withoutLogins(line);
    const secret = keys.find(([, , key = '']) => hides(key, key === leftmost));
    if (secret === undefined) return withoutLogins(line);
    hiddenBelow = indent;
    return blank(line, secret.index + secret[0].length);
  };
  return text.split('\n').map(shown).join('\n');
}

/** The login in an address; a password that is not encoded may hold slashes and spaces. */
function withoutLogins(line: string): string {
  const [from, to] = [line.indexOf('://') + 3, line.lastIndexOf('@')];
  return from < 3 || to < from ? line : blank(line, from, to);
}

/** Blanks a part of a line, and hides how long it was if nothing follows it. */
function blank(line: string, from: number, to = line.length): string {
  const hidden = line.slice(from, to).replace(/[^\r\t]/g, ' ');
  const at = line.slice(from, to).search(/\S/);
  return at === -1 ? line : `${line.slice(0, from)}${hidden.slice(0, at)}…${hidden.slice(at + 1)}${line.slice(to)}`;
}
