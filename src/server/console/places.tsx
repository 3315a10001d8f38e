// The list beside what is shown: where else one can go, then the saved queries, or the tables that SQL can read.
import { EndpointList } from './endpoint-list.tsx';
import { lazy } from './lazy.tsx';
import { usePage } from './page.ts';

const TableList = lazy(async () => (await import('./table-list.tsx')).TableList);

export function Places() {
  const { info, visit } = usePage();
  const { page } = visit.address;
  const isOfTables = page === 'sql' || page === 'tables';
  return (
    <div class="list-box">
      {info.mayRunSql && (
        <ul class="places">
          <Place href="#/" name="Queries" isHere={!isOfTables} />
          <Place href="#/~sql" name="SQL" isHere={page === 'sql'} />
          <Place href="#/~tables" name="Tables" isHere={page === 'tables'} />
        </ul>
      )}
      {isOfTables && info.mayRunSql ? <TableList /> : <EndpointList />}
    </div>
  );
}

function Place({ href, name, isHere }: { readonly href: string; readonly name: string; readonly isHere: boolean }) {
  return (
    <li>
      <a href={href} aria-current={isHere ? 'page' : undefined}>
        {name}
      </a>
    </li>
  );
}
