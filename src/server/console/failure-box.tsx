// A failure as the page shows it: what is wrong, where, what to do.
import { visible } from '../../output/visible.ts';
import { Button } from './button.tsx';
import type { Failure } from './server.ts';

export function FailureBox({ failure, onRetry }: { readonly failure: Failure; readonly onRetry?: () => void }) {
  const { code, message, hint, position, notes = [], problems = [], requestId } = failure;
  return (
    <div class="failure" role="alert">
      <p class="failure-message">
        <span class="tag">{code}</span> {visible(message)}
      </p>
      {position && (
        <p>
          {visible(position.file)}, line {position.line}, column {position.column}
        </p>
      )}
      {problems.length > 0 && (
        <ul>
          {problems.map(({ name, message: problem }) => (
            <li>
              <code>{visible(name)}</code> {visible(problem)}
            </li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p>{visible(note)}</p>
      ))}
      {hint !== undefined && <p class="hint">{visible(hint)}</p>}
      {(onRetry !== undefined || requestId !== undefined) && (
        <p class="failure-foot">
          {onRetry && <Button onClick={onRetry}>Try again</Button>}
          {requestId !== undefined && <small>request {requestId}</small>}
        </p>
      )}
    </div>
  );
}
