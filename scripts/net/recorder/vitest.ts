// Stands in for vitest where the net collects the texts of test files: bodies run, and what they expect is for the tests to hold.
type Body = (...args: readonly unknown[]) => unknown;

let bodies: (() => unknown)[] = [];
let before: (() => unknown)[] = [];
let after: (() => unknown)[] = [];

/** The bodies that a file has registered since the last call, in the order in which they run. */
export function takeBodies(): readonly (() => unknown)[] {
  const taken = [...before, ...bodies, ...after];
  [bodies, before, after] = [[], [], []];
  return taken;
}

/** A hook may return what undoes it. */
export const beforeAll = (hook: Body): void => {
  before.push(async () => {
    const undo = await hook();
    if (typeof undo === 'function') after.push(undo as Body);
  });
};
export const afterAll = (hook: Body): void => void after.push(hook);
export const onTestFinished = afterAll;
export const beforeEach = beforeAll;
export const afterEach = afterAll;

const bodyOf = (rest: readonly unknown[]): Body | undefined => rest.find((each): each is Body => typeof each === 'function');

interface Registers {
  (title: string, ...rest: readonly unknown[]): void;
  each(rows: readonly unknown[]): (title: string, ...rest: readonly unknown[]) => void;
  skipIf(skipped: boolean): Registers;
}

const registers = (register: (body: () => unknown) => void): Registers =>
  Object.assign(
    (_title: string, ...rest: readonly unknown[]): void => {
      const body = bodyOf(rest);
      if (body !== undefined) register(body);
    },
    {
      each:
        (rows: readonly unknown[]) =>
        (_title: string, ...rest: readonly unknown[]): void => {
          const body = bodyOf(rest);
          for (const row of rows) register(() => body?.(...(Array.isArray(row) ? row : [row])));
        },
      skipIf: (): Registers => registers(register),
    },
  );

export const test = registers((body) => bodies.push(body));
export const it = test;
export const describe = registers((body) => body());

/** Takes any expectation. */
const anything: unknown = new Proxy(() => anything, {
  get: (_, name) => (name === 'then' ? undefined : anything),
  apply: () => anything,
});

/** What a body asks for is asked, whatever comes of it. */
const expectAnything = (value: unknown): unknown => {
  if (typeof value === 'function') attempt(value as Body);
  return value instanceof Promise ? settled(value) : anything;
};
export const expect = Object.assign(
  expectAnything,
  Object.fromEntries(
    ['soft', 'stringMatching', 'objectContaining', 'arrayContaining', 'any', 'anything', 'stringContaining'].map((name) => [
      name,
      anything,
    ]),
  ),
);

/** Waited for as `resolves` and `rejects` are. */
function settled(value: Promise<unknown>): unknown {
  const done = value.catch(() => undefined);
  const waiting: unknown = new Proxy(() => done, { get: (_, name) => (name === 'then' ? undefined : waiting), apply: () => done });
  return waiting;
}

function attempt(action: Body): void {
  try {
    action();
  } catch {
    // It failed, as was expected.
  }
}
