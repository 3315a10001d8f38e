// What is wrong with a text: each finding leads to its place.
import type { Finding } from './use-check.ts';

const SEVERITIES = { error: 'Error', warning: 'Warning', note: 'Note' } as const;

interface ProblemListProps<Found extends Finding> {
  readonly findings: readonly Found[];
  /** Of another text, whose name stands before its place. */
  readonly elsewhere?: { readonly name: string; readonly finding: Found } | undefined;
  /** Puts the cursor where a finding is. */
  readonly onGo: (finding: Found, isElsewhere: boolean) => void;
}

export function ProblemList<Found extends Finding>({ findings, elsewhere, onGo }: ProblemListProps<Found>) {
  return (
    <ul class="problems" aria-label="Problems" hidden={findings.length === 0 && elsewhere === undefined}>
      {elsewhere && <Problem finding={elsewhere.finding} prefix={`${elsewhere.name}, `} onGo={() => onGo(elsewhere.finding, true)} />}
      {findings.map((finding) => (
        <Problem finding={finding} prefix="" onGo={() => onGo(finding, false)} />
      ))}
    </ul>
  );
}

interface ProblemProps {
  readonly finding: Finding;
  readonly prefix: string;
  readonly onGo: () => void;
}

function Problem({ finding: { severity, message, hint, line, column }, prefix, onGo }: ProblemProps) {
  return (
    <li class={`problem ${severity}`}>
      <button type="button" onClick={onGo} title="Go there">
        <span class="problem-kind">{SEVERITIES[severity]}</span>
        <span class="problem-text">
          {message}
          {hint && <span class="problem-hint">{hint}</span>}
        </span>
        <span class="problem-place">{`${prefix}line ${line}, column ${column}`}</span>
      </button>
    </li>
  );
}
