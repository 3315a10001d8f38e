// What every part of the console shares: what the server said at first, and where the page is.
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { type Address, type Range, readAddress, START, writeAddress } from './address.ts';
import type { ConsoleEndpoint, ConsoleInfo } from './contract.ts';
import { rangeOf, withRange } from './range.ts';
import type { Failure, Server } from './server.ts';

interface Visit {
  readonly address: Address;
  /** How many places were looked at before, and how many of those and this one were asked for, and not only gone back to. */
  readonly moves: number;
  readonly requests: number;
}

/** `replace` leaves no way back to the place before, and asks for nothing. */
type Go = (address: Address, replace?: 'replace') => void;

export function useAddress(): readonly [visit: Visit, go: Go] {
  const [visit, setVisit] = useState<Visit>(() => ({ address: readAddress(location.hash), moves: 0, requests: 0 }));
  const show = (address: Address, isRequest: boolean) =>
    setVisit(({ moves, requests }) => ({ address, moves: moves + 1, requests: isRequest ? requests + 1 : requests }));
  useLayoutEffect(() => {
    const follow = () => show(readAddress(location.hash), false);
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const go: Go = (address, replace) => {
    const hash = writeAddress(address);
    const isSame = hash === writeAddress(readAddress(location.hash));
    if (!isSame) history[replace === undefined ? 'pushState' : 'replaceState'](null, '', hash);
    show(address, replace === undefined);
  };
  return [visit, go];
}

export interface Page {
  readonly info: ConsoleInfo;
  readonly server: Server;
  readonly visit: Visit;
  readonly go: Go;
  /** Names of queries. */
  readonly favourites: readonly string[];
  readonly onFavourite: (name: string, isFavourite: boolean) => void;
  readonly onNoKey: (failure: Failure) => void;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error('this part belongs to an opened console');
  return page;
}

/** The range of time that the page is at. */
export const rangeAt = ({ info, visit: { address } }: Page): Range =>
  rangeOf(
    info.endpoints.find(({ name }) => name === address.endpoint),
    address,
  );

/** The address of a query, with the range that the page is at. */
export const hrefOf = (page: Page, endpoint: ConsoleEndpoint): string =>
  writeAddress(withRange(endpoint, { ...START, endpoint: endpoint.name }, rangeAt(page)));

/** The address of a board. */
export const boardHref = (name: string, range: Range): string => writeAddress({ ...START, page: 'boards', name, range });
