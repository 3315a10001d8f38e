// What stands below the texts of the playground: what is wrong with them, and what the parameters are.
import type { TextFinding } from '../../translate.ts';
import { element } from './element.ts';
import { PARAMETER_TYPES, type ParameterType } from './playground-address.ts';

type Where = 'query' | 'tables';

interface ProblemList {
  readonly element: HTMLElement;
  show(findings: readonly TextFinding[], tableError: TextFinding | undefined): void;
}

const SEVERITIES = { error: 'Error', warning: 'Warning', note: 'Note' } as const;

/** `go` puts the cursor where a finding is. */
export function problemList(go: (finding: TextFinding, where: Where) => void): ProblemList {
  const list = element('ul', { class: 'problems', 'aria-label': 'Problems' });
  const row = (finding: TextFinding, where: Where) => {
    const { severity, message, hint, line, column } = finding;
    return element(
      'li',
      { class: `problem ${severity}` },
      element(
        'button',
        { type: 'button', onclick: () => go(finding, where), title: 'Go there' },
        element('span', { class: 'problem-kind' }, SEVERITIES[severity]),
        element(
          'span',
          { class: 'problem-text' },
          message,
          hint !== undefined && hint !== '' && element('span', { class: 'problem-hint' }, hint),
        ),
        element('span', { class: 'problem-place' }, `${where === 'tables' ? 'Tables, ' : ''}line ${line}, column ${column}`),
      ),
    );
  };
  return {
    element: list,
    show(findings, tableError) {
      list.replaceChildren(
        ...(tableError === undefined ? [] : [row(tableError, 'tables')]),
        ...findings.map((finding) => row(finding, 'query')),
      );
      list.hidden = list.childElementCount === 0;
    },
  };
}

interface ParameterList {
  readonly element: HTMLElement;
  show(names: readonly string[], types: Readonly<Record<string, ParameterType>>): void;
}

/** A type for each parameter of the text. */
export function parameterList(onType: (name: string, type: ParameterType) => void): ParameterList {
  const box = element('div', { class: 'parameter-types', hidden: true });
  let shown = '';
  return {
    element: box,
    show(names, types) {
      const drawn = JSON.stringify([names, names.map((name) => types[name])]);
      // Drawn anew only when it changes, so that a choice keeps the focus.
      if (drawn === shown) return;
      shown = drawn;
      box.hidden = names.length === 0;
      box.replaceChildren(
        ...names.map((name) => {
          const choice = element(
            'select',
            {
              'aria-label': `Type of @${name}`,
              onchange: () => {
                const type = PARAMETER_TYPES.find((one) => one === choice.value);
                if (type === undefined) return;
                shown = JSON.stringify([names, names.map((one) => (one === name ? type : types[one]))]);
                onType(name, type);
              },
            },
            ...PARAMETER_TYPES.map((type) => element('option', { value: type, selected: type === (types[name] ?? 'STRING') }, type)),
          );
          return element('label', { class: 'parameter-type' }, element('code', {}, `@${name}`), choice);
        }),
      );
    },
  };
}
