// Files of a result: the server is asked once more, for each format it has.
import { announce } from './announce.ts';
import { Button } from './button.tsx';
import type { ConsoleFormat } from './contract.ts';
import { Menu } from './menu.tsx';
import { usePage } from './page.ts';
import type { Failure, Question } from './server.ts';

interface DownloadsProps {
  /** UUID of the query; absent for that of the SQL page. */
  readonly id: string | undefined;
  readonly question: Question;
  readonly onFailure: (failure: Failure) => void;
}

export function Downloads({ id, question, onFailure }: DownloadsProps) {
  const { info, server } = usePage();
  const fetchFile = async (format: ConsoleFormat) => {
    const given = await server.file(question, id, format);
    if ('failure' in given) {
      onFailure(given.failure);
      return;
    }
    const file = `${question.endpoint ?? 'query'}${format.extension}`;
    saveFile(given.got, file);
    announce(`${file} downloaded`);
  };
  return (
    <Menu name="Download">
      {(close) => (
        <div class="menu-items">
          {info.formats.map((format) => (
            <Button
              onClick={() => {
                close();
                void fetchFile(format);
              }}
            >
              {`${format.name} (${format.extension})`}
            </Button>
          ))}
        </div>
      )}
    </Menu>
  );
}

/** Lets the browser save it. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
