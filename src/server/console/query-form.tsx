// The form of a saved query: a field per parameter.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import type { ConsoleEndpoint } from './contract.ts';
import { Field } from './field.tsx';
import { instantOf, type Values } from './sent-values.ts';
import type { Failure, Question } from './server.ts';

interface QueryFormProps {
  readonly endpoint: ConsoleEndpoint;
  /** As they were written into the fields. */
  readonly values: Values;
  readonly onValues: (values: Values) => void;
  /** What was run last. */
  readonly question: Question | undefined;
  /** How that failed; the fields show its problems with parameters. */
  readonly failure: Failure | undefined;
}

/** Of the window's height, the part that a form may take beside a result. */
const MOST_ROOM = 0.18;

/** A run folds a form that would push its result out of sight, but not one that the reader has opened since. */
export function QueryForm({ endpoint: { parameters }, values, onValues, question, failure }: QueryFormProps) {
  const [size, setSize] = useState<'whole' | 'folded' | 'opened'>('whole');
  const box = useRef<HTMLDetailsElement>(null);
  const isOpen = size !== 'folded';
  useLayoutEffect(() => {
    if (question === undefined) setSize('whole');
    else if (size === 'whole' && (box.current?.offsetHeight ?? 0) >= innerHeight * MOST_ROOM) setSize('folded');
  }, [question]);
  // A field that is hidden would lose the focus.
  useLayoutEffect(() => {
    if (!isOpen && box.current?.contains(document.activeElement)) box.current.querySelector('summary')?.focus();
  }, [isOpen]);
  useLayoutEffect(() => {
    const wrong = box.current?.querySelector<HTMLElement>('[aria-invalid]');
    if (!wrong || !box.current) return;
    box.current.open = true;
    wrong.focus();
    if (!isOpen) setSize('whole');
  }, [failure]);
  const instant = parameters.find((parameter) => parameter.instant === true);
  const nowMs = instantOf(instant && values[instant.name]?.[0]?.trim());
  return (
    <details class="form-box" ref={box} open={isOpen}>
      <summary
        hidden={size === 'whole'}
        onClick={(event) => {
          event.preventDefault();
          setSize(isOpen ? 'folded' : 'opened');
        }}
      >
        <span class="form-words">{size !== 'whole' && <FormWords parameters={parameters} values={values} />}</span>
        <span class="form-change">{isOpen ? 'Fold' : 'Change'}</span>
      </summary>
      <div class="fields">
        {parameters.map((parameter) => (
          <Field
            key={parameter.name}
            parameter={parameter}
            values={values[parameter.name] ?? []}
            onChange={(written) => onValues({ ...values, [parameter.name]: written })}
            error={problemOf(parameter.name, failure)}
            nowMs={parameter === instant ? Date.now() : nowMs}
          />
        ))}
      </div>
    </details>
  );
}

/** One line instead of the fields. */
function FormWords({ parameters, values }: Pick<ConsoleEndpoint, 'parameters'> & { readonly values: Values }) {
  const given = parameters.flatMap(({ name, pinned }) => {
    const text = pinned ?? values[name]?.join(', ') ?? '';
    return text === '' ? [] : [[visible(name), visible(text)] as const];
  });
  if (given.length === 0) return <>No parameter is set.</>;
  return (
    <>
      {given.map(([name, text]) => (
        <span class="form-word">
          <b>{name}</b> {text}
        </span>
      ))}
    </>
  );
}

/** Returns what is wrong with the values of a parameter; undefined where nothing is. */
export function problemOf(name: string, failure: Failure | undefined): string | undefined {
  const own = failure?.problems?.filter((problem) => problem.name === name) ?? [];
  if (own.length === 0) return undefined;
  // Of a parameter that is missing the server gives the description, which stands there already.
  return own.map(({ kind, message }) => (kind === 'missing' ? 'is missing' : message)).join('; ');
}
