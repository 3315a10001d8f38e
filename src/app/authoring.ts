// What the app does for people who write queries and settings. Each part is loaded when it is used.
import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { Settings } from '../config/load.ts';
import { defaultPaths } from '../config/paths.ts';
import { SETTINGS } from '../config/settings.ts';
import { printableValue } from '../config/shown-value.ts';
import type { Connection } from '../connection/connection.ts';
import { QuernError } from '../errors.ts';
import type { EstimateRequest, TableEstimate } from '../execution/estimate.ts';
import type { Plan } from '../execution/plan.ts';
import type { RunDependencies } from '../execution/run.ts';
import type { Io } from '../io.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { ImportReport } from '../migrate/report.ts';
import type { QueryCatalog } from '../saved-query/catalog.ts';
import type { KeywordCase } from '../saved-query/format-source.ts';
import type { Finding } from '../saved-query/lint.ts';
import type { SavedQuery } from '../saved-query/saved-query.ts';
import type { TextTranslation } from '../saved-query/translate-text.ts';
import type { LogicalSteps } from '../sql/index.ts';
import type { FormattedFile } from './format-files.ts';
import type { ImportRequest } from './import.ts';
import type { SCHEMAS } from './schemas.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Authoring {
  /** The names that a user may type. */
  vocabulary(): Promise<Vocabulary>;
  /** The translation of the text in a file, or in standard input for `-`, which need not be a saved query; parameters as `name:type`. */
  translateText(file: string, given: readonly string[]): Promise<TextTranslation>;
  /** The value of a setting as it may be printed. Throws `usage` for a secret. */
  settingText(name: string): Promise<string>;
  /** Writes a setting of the user's own; gives the file's path. */
  setUserSetting(name: string, values: readonly string[]): Promise<string>;
  unsetUserSetting(name: string): Promise<{ readonly path: string; readonly was: boolean }>;
  /** What each file of settings is, its path, and whether it is there. */
  settingFiles(): Promise<readonly (readonly [string, string, boolean])[]>;
  /** Trusts a project file as it is now, by default the one in force; gives its path, and what it may do. Throws `usage` where there is none. */
  trustProject(file: string | undefined): Promise<{ readonly path: string; readonly rights: readonly string[] }>;
  /** The path of the file, and whether it was trusted. */
  revokeTrust(file: string | undefined): Promise<{ readonly path: string; readonly was: boolean }>;
  /** What is trusted: kind, name, and what is to be said of it. */
  trusted(): Promise<readonly (readonly [string, string, string])[]>;
  jsonSchema(kind: keyof typeof SCHEMAS): Promise<JsonSchema>;
  /** Writes a project to begin with; gives the files, and the name of the sample query. */
  writeProject(folder: string, force: boolean): Promise<{ readonly files: readonly string[]; readonly sample: string }>;
  /** Writes a saved query to begin with; gives its path. */
  writeQuery(name: string, description: string | undefined): Promise<string>;
  /** The formatted texts of files, or of the user's own queries; nothing is written. */
  formatFiles(names: readonly string[], keywords: KeywordCase | undefined): Promise<readonly (FormattedFile | QuernError)[]>;
  /** What is to be said of files, or of the user's own queries. */
  lint(names: readonly string[]): Promise<{ readonly findings: readonly Finding[]; readonly count: number }>;
  replaceFile(name: string, text: string): Promise<void>;
  /** Writes saved queries out of those of a Logflare or a folder, and tries them. */
  importQueries(request: ImportRequest): Promise<ImportReport>;
  /** The logical plan of a saved query, by name, UUID or path. */
  logicalSteps(reference: string): Promise<LogicalSteps>;
  /** The lines of the engine's own plan of a saved query. */
  engineSteps(of: EstimateOf): Promise<readonly string[]>;
  /** What the engine expects to read of each table. */
  estimateTables(of: EstimateOf): Promise<readonly TableEstimate[]>;
}

interface EstimateOf extends Omit<EstimateRequest, 'signal'> {
  /** Name, UUID or path of a saved query. */
  readonly reference: string;
}

interface AuthoringOptions {
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Does what a plan is needed for, on what holds now. */
  planned<T>(reference: string, work: (plan: Plan, dependencies: RunDependencies) => Promise<T>): Promise<T>;
  settings(): Promise<Settings>;
  queryFolders(): Promise<readonly string[]>;
  catalog(): Promise<QueryCatalog>;
  savedQuery(reference: string): Promise<SavedQuery>;
  connection(): Promise<Connection>;
}

export function createAuthoring({
  io,
  signal,
  settings,
  queryFolders,
  catalog,
  savedQuery,
  connection,
  planned,
}: AuthoringOptions): Authoring {
  return {
    async vocabulary() {
      const { createVocabulary } = await import('./vocabulary.ts');
      return createVocabulary({ io, settings, queryFolders });
    },
    async translateText(file, given) {
      const [{ readTextFile }, { translateText }] = await Promise.all([
        import('./text-file.ts'),
        import('../saved-query/translate-text.ts'),
      ]);
      const source = await readTextFile(file, io);
      const sources = await (await connection()).sources();
      return translateText(source, given, { catalog: await catalog(), sources: await sources.load() });
    },
    async settingText(name) {
      const { settingNamed } = await import('../config/user-settings.ts');
      const known = settingNamed(name);
      if (SETTINGS[known].secret === true)
        throw new QuernError('usage', `${known} is a secret, which is never printed`, { hint: `it comes from ${SETTINGS[known].env}` });
      return printableValue(known, (await settings()).values[known]);
    },
    async setUserSetting(name, values) {
      const { setUserSetting } = await import('../config/user-settings.ts');
      return setUserSetting(name, values, io);
    },
    async unsetUserSetting(name) {
      const { unsetUserSetting } = await import('../config/user-settings.ts');
      return unsetUserSetting(name, io);
    },
    async settingFiles() {
      const [{ findProjectFile }, { userFilePath }] = await Promise.all([
        import('../config/project-file.ts'),
        import('../config/user-file.ts'),
      ]);
      const project = findProjectFile(io.cwd);
      const user = userFilePath(defaultPaths(io.env).config);
      return [
        ['project', project ?? join(io.cwd, 'quern.yaml'), project !== undefined],
        ['user', user, existsSync(user)],
      ];
    },
    async trustProject(file) {
      const { trustProject } = await import('./trust.ts');
      return trustProject(file, io);
    },
    async revokeTrust(file) {
      const { revokeProject } = await import('./trust.ts');
      return revokeProject(file, io);
    },
    async trusted() {
      const { listTrusted } = await import('./trust.ts');
      return listTrusted(io);
    },
    async jsonSchema(kind) {
      const { SCHEMAS } = await import('./schemas.ts');
      return SCHEMAS[kind]();
    },
    async writeProject(folder, force) {
      const { SAMPLE_QUERY, writeProject } = await import('./starter.ts');
      return { files: writeProject(resolve(io.cwd, folder), force).map((file) => join(folder, file)), sample: SAMPLE_QUERY };
    },
    async writeQuery(name, description) {
      const { writeQuery } = await import('./starter.ts');
      const { queries: folders } = (await settings()).values;
      const given = description === undefined ? {} : { description };
      const path = writeQuery({ name, folders, catalog: await catalog(), ...given });
      return relative(io.cwd, path) || path;
    },
    async formatFiles(names, keywords) {
      const [{ readSqlFiles }, { formatAll }] = await Promise.all([import('./sql-files.ts'), import('./format-files.ts')]);
      return formatAll(await readSqlFiles(names, (await settings()).values.queries, io), keywords);
    },
    async lint(names) {
      const [{ readSqlFiles }, { lintSource, lintTwins }, { planQuery }] = await Promise.all([
        import('./sql-files.ts'),
        import('../saved-query/lint.ts'),
        import('../execution/plan.ts'),
      ]);
      const files = await readSqlFiles(names, (await settings()).values.queries, io);
      const sources = await (await connection()).sources();
      const deps = { catalog: await catalog(), sources: await sources.load() };
      const known = { ...deps, sources: { ...sources, load: async () => deps.sources } };
      const prepare = (query: SavedQuery) => planQuery(query, known);
      const findings: Finding[] = [];
      for (const file of files) findings.push(...(await lintSource(file, basename(file.name, '.sql'), { ...deps, prepare })));
      return { findings: [...findings, ...lintTwins(files)], count: files.length };
    },
    async replaceFile(name, text) {
      (await import('./format-files.ts')).replaceFile(name, text, io.cwd);
    },
    async importQueries(request) {
      const { runImport } = await import('./import.ts');
      return runImport(request, { io, signal, settings, catalog, connection });
    },
    async logicalSteps(reference) {
      const { logicalSteps } = await import('../execution/logical-steps.ts');
      const { sources } = await (await connection()).snapshot();
      return logicalSteps(await savedQuery(reference), { catalog: await catalog(), sources });
    },
    async engineSteps({ reference, ...request }) {
      const { engineSteps } = await import('../execution/estimate.ts');
      return planned(reference, (plan, dependencies) => engineSteps(plan, { ...request, signal }, dependencies));
    },
    async estimateTables({ reference, ...request }) {
      const { estimateTables } = await import('../execution/estimate.ts');
      return planned(reference, (plan, dependencies) => estimateTables(plan, { ...request, signal }, dependencies));
    },
  };
}
