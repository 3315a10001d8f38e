// A record as a tree: groups that open and close, and values that can be acted upon. Loaded when a record is first looked at.
import { useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { Button, CopyButton } from './button.tsx';
import { type Cell, isFields, isList, isNumber } from './exact-json.ts';
import { plainText } from './shown-text.ts';
import type { ActionsOf } from './value-actions.ts';

/** Groups below this are closed at first, and long lists and texts are cut. */
const [OPEN, MOST_ITEMS, MOST_TEXT] = [4, 200, 4000];

type Entries = readonly (readonly [name: string, value: Cell])[];

interface Branch {
  readonly name: string;
  readonly path: readonly string[];
  readonly depth: number;
  /** Where the branch is among all: unlike its path, the place of no other. */
  readonly place: string;
}

interface Tree {
  readonly actionsOf: ActionsOf;
  /** Place of the value that can be acted upon. */
  readonly opened: string | undefined;
  readonly onOpen: (place: string | undefined) => void;
}

export function RecordTree({ entries, actionsOf }: { readonly entries: Entries; readonly actionsOf: ActionsOf }) {
  const [opened, onOpen] = useState<string>();
  const tree: Tree = { actionsOf, opened, onOpen };
  return (
    <ul class="tree">
      {entries.map(([name, value], i) => (
        <Node tree={tree} branch={{ name, path: [name], depth: 0, place: `${i}` }} value={value} />
      ))}
    </ul>
  );
}

interface NodeProps {
  readonly tree: Tree;
  readonly branch: Branch;
  readonly value: Cell;
}

function Node({ tree, branch, value }: NodeProps) {
  if (isFields(value)) return <Group tree={tree} branch={branch} entries={value.fields} isRecord />;
  if (!isList(value)) return <Leaf tree={tree} branch={branch} value={value} />;
  const [only] = value;
  // Records of log events are lists of one.
  if (value.length === 1 && only !== undefined && isFields(only))
    return <Group tree={tree} branch={branch} entries={only.fields} isRecord />;
  return <Group tree={tree} branch={branch} entries={value.map((item, i) => [String(i), item])} isRecord={false} />;
}

interface GroupProps extends Pick<NodeProps, 'tree' | 'branch'> {
  readonly entries: Entries;
  readonly isRecord: boolean;
}

function Group({ tree, branch: { name, path, depth, place }, entries, isRecord }: GroupProps) {
  const [isOpen, setOpen] = useState(depth < OPEN);
  const inner = (key: string, i: number): Branch => ({
    name: key,
    path: isRecord ? [...path, key] : path,
    depth: depth + 1,
    place: `${place}.${i}`,
  });
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="tree-key">{visible(name)}</span>
          <span class="soft"> {entries.length}</span>
        </summary>
        <ul>
          {isOpen && entries.slice(0, MOST_ITEMS).map(([key, value], i) => <Node tree={tree} branch={inner(key, i)} value={value} />)}
          {isOpen && entries.length > MOST_ITEMS && <li class="soft">… and {entries.length - MOST_ITEMS} more</li>}
        </ul>
      </details>
    </li>
  );
}

function Leaf({ tree: { actionsOf, opened, onOpen }, branch: { name, path, place }, value }: NodeProps) {
  const full = plainText(value);
  const isOpen = opened === place;
  return (
    <li class="leaf">
      <span class="tree-key">{visible(name)}</span>
      <Button
        class={`tree-value ${kindOf(value)}`}
        aria-expanded={isOpen}
        title="Filter by this value, or copy it"
        onClick={() => onOpen(isOpen ? undefined : place)}
      >
        {leafText(value, full)}
      </Button>
      {isOpen && (
        <div class="actions">
          {actionsOf(path, value).map(({ label, act }) => (
            <Button
              onClick={() => {
                onOpen(undefined);
                act();
              }}
            >
              {visible(label)}
            </Button>
          ))}
          <CopyButton label="Copy" text={() => full} />
        </div>
      )}
    </li>
  );
}

function leafText(value: Cell, full: string): string {
  if (value === null) return 'NULL';
  return full === '' ? 'empty' : visible(full.slice(0, MOST_TEXT)) + (full.length > MOST_TEXT ? '…' : '');
}

function kindOf(value: Cell): string {
  if (value === null || value === '') return 'null';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' && isNumber(value) ? 'number' : 'other';
}
