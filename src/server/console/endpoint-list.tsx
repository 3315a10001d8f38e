// The list of saved queries, with a search.
import { useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { hrefOf, usePage } from './page.ts';

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
      <ul class="list">
        {found.map((endpoint) => (
          <li key={endpoint.name}>
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
