// The playground: BigQuery SQL on one side, the ClickHouse SQL that it is on the other, as one types. The page translates by itself: no engine, no key.
import { copyButton } from './clipboard.ts';
import { createEditor } from './editor.ts';
import { announce, button, element } from './element.ts';
import { type Held, readHeld, writeHeld } from './playground-address.ts';
import { EXAMPLES } from './playground-examples.ts';
import { parameterList, problemList } from './playground-lists.ts';
import { completeIn, formatted, type Looked, look, planOf, translator } from './playground-translator.ts';
import { createTabs } from './tabs.ts';

const main = part('main');
let held: Held = readHeld(location.hash) ?? EXAMPLES[0];

function part(name: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(name);
  if (found === null) throw new Error(`the page has no <${name}>`);
  return found;
}

const query = createEditor({
  dialect: 'bigquery',
  label: 'BigQuery SQL',
  text: held.sql,
  numbers: true,
  onChange: (sql) => change({ ...held, sql }),
  complete: (sql, offset) => completeIn({ ...held, sql }, offset),
});
const tables = createEditor({
  dialect: 'clickhouse',
  label: 'Tables',
  text: held.tables,
  numbers: true,
  onChange: (text) => change({ ...held, tables: text }),
});
const output = createEditor({ dialect: 'clickhouse', label: 'ClickHouse SQL', text: '' });
const state = element('p', { class: 'playground-state', role: 'status' }, 'Loading the translator…');
const facts = element('div', { class: 'playground-facts' });
const notMade = element('p', { class: 'not-made', hidden: true });
const plan = element('pre', { class: 'playground-plan', tabindex: 0, 'aria-label': 'Logical plan' });
const problems = problemList((finding, where) => {
  written.show(where);
  (where === 'query' ? query : tables).goTo(finding.span.start);
});
const parameters = parameterList((name, type) => change({ ...held, parameters: { ...held.parameters, [name]: type } }));

const written = createTabs(
  [
    { name: 'query', label: 'BigQuery SQL' },
    { name: 'tables', label: 'Tables' },
  ],
  (name) => written.show(name),
  { label: 'The query and its tables' },
);
written.panel('query').append(query.element, parameters.element);
written
  .panel('tables')
  .append(element('p', { class: 'hint' }, 'CREATE TABLE statements of ClickHouse, as SHOW CREATE TABLE prints them.'), tables.element);
written.show('query');

const made = createTabs(
  [
    { name: 'sql', label: 'ClickHouse SQL' },
    { name: 'plan', label: 'Logical plan' },
  ],
  (name) => {
    shownPlan = name === 'plan';
    made.show(name);
    void drawPlan();
  },
  { label: 'Its translation' },
);
let shownPlan = false;
made.panel('sql').append(notMade, output.element, facts);
made.panel('plan').append(element('p', { class: 'hint' }, 'What runs, from the bottom up, before it is written as ClickHouse SQL.'), plan);
made.show('sql');

function draw(): void {
  const examples = element(
    'select',
    {
      id: 'examples',
      onchange: () => {
        const example = EXAMPLES.find(({ name }) => name === examples.value);
        if (example !== undefined) open({ sql: example.sql, tables: example.tables, parameters: example.parameters });
        examples.value = '';
      },
    },
    element('option', { value: '' }, 'Examples'),
    ...EXAMPLES.map(({ name }) => element('option', { value: name }, name)),
  );
  part('header').replaceChildren(
    element('a', { class: 'brand', href: './' }, 'quern'),
    element('h1', { class: 'playground-title' }, 'Playground'),
    element('span', { class: 'space' }),
    element('label', { class: 'unseen', for: 'examples' }, 'Examples'),
    examples,
    button('Format', () => void layOut()),
    copyButton('Copy link', () => location.href),
  );
  const copy = copyButton('Copy SQL', output.text);
  const left = element(
    'section',
    { class: 'pane', id: 'query', tabindex: '-1', 'aria-label': 'The query and its tables' },
    written.element,
  );
  const right = element('section', { class: 'pane', 'aria-label': 'Its translation' }, made.element, copy);
  copy.classList.add('pane-action');
  main.replaceChildren(
    element('div', { class: 'panes' }, left, right),
    element('div', { class: 'playground-foot' }, state, problems.element),
  );
}

async function layOut(): Promise<void> {
  const text = await formatted(held.sql).catch(() => undefined);
  if (text === undefined) announce('A query with a syntax error cannot be formatted');
  else query.set(text.trimEnd());
  query.focus();
}

/** Another text, from a link or an example. */
function open(next: Held): void {
  held = next;
  query.set(next.sql);
  tables.set(next.tables);
  change(next);
}

let waiting: ReturnType<typeof setTimeout> | undefined;

function change(next: Held): void {
  held = next;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    history.replaceState(null, '', writeHeld(held));
    void refresh();
  }, 120);
}

let looks = 0;

async function refresh(): Promise<void> {
  const mine = ++looks;
  let looked: Looked;
  try {
    looked = await look(held);
  } catch (error) {
    if (mine === looks) tellFault(error);
    return;
  }
  if (mine !== looks) return;
  const { translation, findings, tableError, milliseconds } = looked;
  const blank = held.sql.trim() === '';
  query.mark(
    findings.map(({ span, severity, message, hint }) => ({ ...span, kind: severity, text: [message, hint].filter(Boolean).join('\n') })),
  );
  tables.mark(tableError === undefined ? [] : [{ ...tableError.span, kind: 'error', text: tableError.message }]);
  problems.show(findings, tableError);
  parameters.show(looked.parameters, held.parameters);
  const missing = translation === undefined && !blank;
  made.panel('sql').classList.toggle('stale', missing);
  notMade.hidden = !missing;
  notMade.textContent = `This query is not translated; the problems below say why.${output.text() === '' ? '' : ' The SQL shown is from before the last change.'}`;
  if (blank) {
    output.set('');
    facts.replaceChildren();
  }
  if (translation !== undefined) {
    output.set(translation.sql);
    drawFacts(translation);
  }
  const wrong = findings.filter(({ severity }) => severity === 'error').length + (tableError === undefined ? 0 : 1);
  if (blank) tell('Write a query on the left', '');
  else if (translation === undefined) tell('Not translated', 'bad');
  else tell(`Translated in ${milliseconds < 0.95 ? '< 1' : milliseconds.toFixed(0)} ms`, wrong === 0 ? 'good' : 'bad');
  await drawPlan();
}

function tell(text: string, kind: '' | 'good' | 'bad'): void {
  if (state.textContent !== text) state.textContent = text;
  state.dataset['kind'] = kind;
}

function tellFault(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  tell('', 'bad');
  state.replaceChildren(
    `The translator could not be loaded: ${message} `,
    // Browsers remember what they could not load, until the page is another one; the address has the text.
    button('Try again', () => location.reload()),
  );
}

function drawFacts({ columns, parameters: bound, settings }: NonNullable<Looked['translation']>): void {
  const list = (title: string, names: readonly (readonly [string, string])[]) =>
    names.length > 0 &&
    element(
      'p',
      {},
      element('span', { class: 'soft' }, `${title} `),
      ...names.flatMap(([name, type], i) => [
        i === 0 ? '' : ', ',
        element('code', {}, name),
        ' ',
        element('span', { class: 'soft' }, type),
      ]),
    );
  const set = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  facts.replaceChildren(
    ...[
      list(
        'Columns',
        columns.map(({ name, type }) => [name, type.kind]),
      ),
      list(
        'Bound',
        bound.map(({ name, type }) => [name, type]),
      ),
      element(
        'details',
        { class: 'settings' },
        element('summary', {}, `Settings it relies on (${set.length})`),
        element('pre', { tabindex: 0, 'aria-label': 'Settings' }, set.join('\n')),
      ),
    ].filter((one) => one !== false),
  );
}

async function drawPlan(): Promise<void> {
  if (!shownPlan) return;
  const mine = looks;
  const found = await planOf(held).catch(() => undefined);
  if (mine !== looks) return;
  plan.textContent = found?.optimized.trimEnd() ?? 'There is a plan once the query is translated.';
}

draw();
window.addEventListener('hashchange', () => {
  const next = readHeld(location.hash);
  if (next !== undefined && writeHeld(next) !== writeHeld(held)) open(next);
});
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  query.focus();
});
void translator().catch(() => undefined);
void refresh();
