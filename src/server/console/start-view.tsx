// The page before a query is chosen: favourites, what was run lately, what can be read and of which time, and whether the engine answers.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { type Range, readAddress, START } from './address.ts';
import { Button } from './button.tsx';
import type { ConsoleBroken, ConsoleOverview } from './contract.ts';
import { boardHref, hrefOf, usePage } from './page.ts';
import { forgetRuns, recentRuns, SQL_RUN } from './recent.ts';

export function StartView() {
  const page = usePage();
  const { boards, endpoints, oversees, mayRunSql, broken = [] } = page.info;
  const [overview, setOverview] = useState<ConsoleOverview>();
  useLayoutEffect(() => {
    if (oversees) void page.server.overview().then(setOverview);
  }, []);
  const starred = endpoints.filter(({ name }) => page.favourites.includes(name));
  return (
    <div class="welcome">
      <h1 tabindex={-1}>Overview</h1>
      <p class="description soft">
        {endpoints.length === 0 ? 'There are no saved queries that you can use.' : 'Choose a saved query from the list.'}
      </p>
      <div>{overview && <Facts queries={endpoints.length} {...overview} />}</div>
      <div>
        {boards.length > 0 && (
          <Part title="Boards">
            <Links
              links={boards.map(({ name, title, description = '' }) => ({
                href: boardHref(name, page.visit.address.range),
                name: title,
                about: description,
              }))}
            />
          </Part>
        )}
      </div>
      <div class="start-parts">
        <Part title="Favourites">
          {starred.length === 0 && <p class="soft">The star beside the name of a query puts it here.</p>}
          <Links links={starred.map((endpoint) => ({ href: hrefOf(page, endpoint), name: endpoint.name, about: endpoint.description }))} />
        </Part>
        <Recent known={new Set([...endpoints.map(({ name }) => name), ...(mayRunSql ? [SQL_RUN] : [])])} />
      </div>
      <div>{broken.length > 0 && <Broken queries={broken} />}</div>
      <div>{overview && overview.sources.length > 0 && <Data sources={overview.sources} />}</div>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="start-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Links({ links }: { readonly links: readonly Readonly<Record<'href' | 'name' | 'about', string>>[] }) {
  if (links.length === 0) return null;
  return (
    <ul class="start-list">
      {links.map(({ href, name, about }) => (
        <li>
          <a href={href}>{visible(name)}</a>
          {about !== '' && <span class="start-about">{visible(about)}</span>}
        </li>
      ))}
    </ul>
  );
}

function Recent({ known }: { readonly known: ReadonlySet<string> }) {
  const [runs, setRuns] = useState(recentRuns);
  const links = runs
    .filter(({ endpoint }) => known.has(endpoint))
    .map(({ endpoint, hash }) => {
      const { values: given, sql = '' } = readAddress(hash);
      const values = Object.entries(given).map(([name, value]) => `${name}: ${value.join(', ')}`);
      const isSql = endpoint === SQL_RUN;
      return { href: hash, name: isSql ? 'SQL' : endpoint, about: [...(isSql ? [sql.replace(/\s+/g, ' ')] : []), ...values].join(' · ') };
    });
  const forget = () => {
    forgetRuns();
    setRuns([]);
  };
  return (
    <Part title="Recent">
      <Links links={links} />
      {links.length === 0 ? <p class="soft">What you run in this tab is listed here.</p> : <Button onClick={forget}>Forget these</Button>}
    </Part>
  );
}

/** Saved queries and boards that cannot be served as their files say. */
function Broken({ queries }: { readonly queries: readonly ConsoleBroken[] }) {
  return (
    <Part title="Files with errors">
      <ul class="start-list broken">
        {queries.map(({ name, served, message, hint, position, text }) => (
          <li>
            <span>
              <strong class="broken-name">{visible(name)}</strong> <span class="tag warn">{SERVED[served] ?? served}</span>
            </span>
            <span class="broken-message">{visible(message)}</span>
            {position && (
              <span class="soft">
                {visible(position.file)}, line {position.line}, column {position.column}
              </span>
            )}
            {text !== undefined && (
              <pre tabindex={0} aria-label={`Line ${position?.line}`}>
                {`${String(position?.line ?? '').padStart(4)} │ ${visible(text)}`}
              </pre>
            )}
            {hint !== undefined && <span class="hint">{visible(hint)}</span>}
          </li>
        ))}
      </ul>
    </Part>
  );
}

const SERVED: Readonly<Record<string, string>> = { 'not at all': 'not served', 'as it was before': 'served as it was before' };

function Facts({ queries, engine, sources }: ConsoleOverview & { readonly queries: number }) {
  const last = sources
    .flatMap(({ last: time }) => time ?? [])
    .sort()
    .at(-1);
  const rows = sources.reduce((sum, { rows: count }) => sum + count, 0);
  return (
    <dl class="start-facts">
      {engine === undefined ? (
        <Fact name="Engine" value="ready" kind="good" />
      ) : (
        <Fact name="Engine" value={`not ready: ${visible(engine)}`} kind="bad" />
      )}
      <Fact name="Saved queries" value={queries.toLocaleString('en')} />
      {/* Those of a ClickHouse server are not counted. */}
      {sources.length > 0 && <Fact name="Sources" value={sources.length.toLocaleString('en')} />}
      {sources.length > 0 && <Fact name="Rows" value={rows.toLocaleString('en')} />}
      {last !== undefined && <Fact name="Newest row" value={shortTime(last).slice(0, 16).replace('T', ' ')} kind="time" />}
    </dl>
  );
}

function Fact({ name, value, kind = '' }: { readonly name: string; readonly value: string; readonly kind?: string }) {
  return (
    <div class={`fact ${kind}`}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Data({ sources }: Pick<ConsoleOverview, 'sources'>) {
  const { go } = usePage();
  const times = sources.flatMap(({ first, last }) => [first, last].flatMap((time) => (time === undefined ? [] : [Date.parse(time)])));
  const [begin, end] = [Math.min(...times), Math.max(...times)];
  const placeOf = (time: string) => (Date.parse(time) - begin) / (end - begin);
  const hasTimes = times.length > 0;
  return (
    <Part title="Data">
      <div class="table-scroll" tabindex={0} role="region" aria-label="Data">
        <table class="rows">
          <thead>
            <tr>
              {['source', 'rows', ...(hasTimes ? ['from', 'to', 'time'] : [])].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sources.map(({ name, rows, first, last }) => (
              <tr>
                <td>{visible(name)}</td>
                <td class="number">{rows.toLocaleString('en')}</td>
                {hasTimes && (
                  <>
                    <td>{shortTime(first)}</td>
                    <td>{shortTime(last)}</td>
                    <td>
                      {first !== undefined && last !== undefined && (
                        <div class="span">
                          <SpanBar from={placeOf(first)} to={placeOf(last)} />
                          <Button
                            aria-label={`Use this range: ${visible(name)}`}
                            onClick={() => go({ ...START, range: rangeAround(first, last) })}
                          >
                            Use this range
                          </Button>
                        </div>
                      )}
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Part>
  );
}

/** Whole minutes that hold all of it; the end of the data counts as now. */
function rangeAround(first: string, last: string): Range {
  const minute = 60_000;
  const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
  const end = iso(Math.ceil((Date.parse(last) + 1) / minute) * minute);
  return { from: iso(Math.floor((Date.parse(first) - 1) / minute) * minute), to: end, asOf: end };
}

/** Where a source's time lies in that of all; both from 0 to 1. */
function SpanBar({ from, to }: { readonly from: number; readonly to: number }) {
  const [start, stop] = [Number.isFinite(from) ? from : 0, Number.isFinite(to) ? to : 1];
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" class="span-bar">
      <rect x={start * 100} y={0} width={Math.max(1, (stop - start) * 100)} height={8} />
    </svg>
  );
}

const shortTime = (time: string | undefined): string => (time === undefined ? '–' : time.replace(/\.\d+Z$/, 'Z'));
