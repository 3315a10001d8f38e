// The list of saved queries, with a search.
import { useRef, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { Button } from './button.tsx';
import { boardHref, hrefOf, usePage } from './page.ts';

export function EndpointList() {
  const page = usePage();
  const { endpoints } = page.info;
  const [text, setText] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const words = text.toLowerCase().split(/\s+/);
  const found = endpoints.filter(({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word)));
  return (
    <>
      <input
        id="search"
        ref={search}
        type="search"
        placeholder="Search queries"
        aria-label="Search queries"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && found[0] !== undefined) location.hash = hrefOf(page, found[0]);
        }}
      />
      <p class="list-count" role="status">
        {found.length < endpoints.length && `${found.length} of ${endpoints.length}`}
      </p>
      <Boards words={words} />
      <ul class="list">
        {found.map((endpoint, i) => (
          <li key={endpoint.name}>
            {endpoint.ships && i > 0 && !found[i - 1]?.ships && <h2 class="list-head">Ship with quern</h2>}
            <a href={hrefOf(page, endpoint)} aria-current={endpoint.name === page.visit.address.endpoint ? 'page' : undefined}>
              <span class="list-name">{endpoint.name}</span>
              {page.favourites.includes(endpoint.name) && (
                <span class="list-star" role="img" aria-label="favourite">
                  ★
                </span>
              )}
              {endpoint.description !== '' && <span class="list-description">{endpoint.description}</span>}
            </a>
          </li>
        ))}
        {found.length === 0 && (
          <li class="nothing">
            {endpoints.length === 0 ? 'There are no saved queries that you can use. ' : 'No queries match. '}
            {endpoints.length > 0 && (
              <Button
                onClick={() => {
                  setText('');
                  search.current?.focus();
                }}
              >
                Show all
              </Button>
            )}
          </li>
        )}
      </ul>
    </>
  );
}

/** Those whose titles have the words. */
function Boards({ words }: { readonly words: readonly string[] }) {
  const { info, visit } = usePage();
  const { page, name: shown, range } = visit.address;
  const found = info.boards.filter(({ title, name }) => words.every((word) => `${title} ${name}`.toLowerCase().includes(word)));
  if (found.length === 0) return null;
  return (
    <>
      <h2 class="list-head">Boards</h2>
      <ul class="list">
        {found.map(({ name, title, description }) => (
          <li key={name}>
            <a href={boardHref(name, range)} aria-current={page === 'boards' && name === shown ? 'page' : undefined}>
              <span class="list-title">{visible(title)}</span>
              {description !== undefined && <span class="list-description">{visible(description)}</span>}
            </a>
          </li>
        ))}
      </ul>
      <h2 class="list-head">Queries</h2>
    </>
  );
}
