// The tables that SQL over all tables can read, asked for once and when somebody wants them again.
import { useLayoutEffect, useState } from 'preact/hooks';
import { roundSize } from '../../base/quantity.ts';
import { START, writeAddress } from './address.ts';
import type { ConsoleTable, ConsoleTables } from './contract.ts';
import { usePage } from './page.ts';
import type { Answer, Server } from './server.ts';

const known = new WeakMap<Server, Promise<Answer<ConsoleTables>>>();

/** What failed is asked for again. */
export function tablesOf(server: Server): Promise<Answer<ConsoleTables>> {
  const asked = known.get(server) ?? server.tables();
  known.set(server, asked);
  void asked.then((given) => 'failure' in given && known.get(server) === asked && known.delete(server));
  return asked;
}

/** Undefined while they are asked for. */
export function useTables(): { readonly tables: Answer<ConsoleTables> | undefined; readonly again: () => void } {
  const { server } = usePage();
  const [tables, setTables] = useState<Answer<ConsoleTables>>();
  const load = () => void tablesOf(server).then(setTables);
  useLayoutEffect(load, []);
  return {
    tables,
    again() {
      known.delete(server);
      load();
    },
  };
}

/** The name as FROM takes it. */
const quotedName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``);

/** A query to begin with. */
export const selectFrom = ({ name }: Pick<ConsoleTable, 'name'>, rows = 100): string =>
  `select *\nfrom ${quotedName(name)}\nlimit ${rows}\n`;

export const tableHref = (name: string): string => writeAddress({ ...START, page: 'tables', name });

/** `1,234 rows · 5.6 MB`; nothing of what the engine does not count. */
export const sizeText = ({ rows, bytes, isQuery }: ConsoleTable): string =>
  [
    isQuery === true ? 'saved query' : undefined,
    rows === undefined ? undefined : `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`,
    bytes === undefined ? undefined : roundSize(bytes),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
