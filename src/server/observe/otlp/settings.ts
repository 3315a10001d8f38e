// Where traces and metrics are sent, by the environment variables of OpenTelemetry. The SDK reads most of them itself, and takes its defaults where it
// does not understand one: what would be lost that way is refused here, in words that name the variable.
import { readFileSync } from 'node:fs';
import { QuernError } from '../../../base/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
type Protocol = (typeof PROTOCOLS)[number];

export interface Destination {
  /** For messages: an address may hold a password or a token. */
  readonly place: string;
  readonly protocol: Protocol;
  /** In PEM: whose certificates are trusted, and how the server shows who it is. */
  readonly tls: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
}

export interface OtlpSettings {
  readonly traces?: Destination | undefined;
  readonly metrics?: Destination | undefined;
  readonly metricsEveryMs: number;
}

type Signal = 'TRACES' | 'METRICS';

const SAMPLERS = ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'];
const EVERY = 'OTEL_METRIC_EXPORT_INTERVAL';
const METRICS_EVERY_MS = 60_000;
const NUMBERS = [
  EVERY,
  ...['', 'TRACES_', 'METRICS_'].map((signal) => `OTEL_EXPORTER_OTLP_${signal}TIMEOUT`),
  ...['SCHEDULE_DELAY', 'EXPORT_TIMEOUT', 'MAX_QUEUE_SIZE', 'MAX_EXPORT_BATCH_SIZE'].map((what) => `OTEL_BSP_${what}`),
];
/** The longest that a timer of Node can wait. */
const MOST = 2 ** 31 - 1;

/** undefined where nothing is to be sent. Throws QuernError `config` for what a variable must not hold. */
export function otlpSettings(env: Environment): OtlpSettings | undefined {
  if (word(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const [traces, metrics] = [destination(env, 'TRACES'), destination(env, 'METRICS')];
  if (traces === undefined && metrics === undefined) return undefined;
  if (traces !== undefined) checkSampler(env);
  for (const name of NUMBERS) checkNumber(env, name);
  return { traces, metrics, metricsEveryMs: Number(word(env, EVERY) ?? METRICS_EVERY_MS) };
}

function destination(env: Environment, signal: Signal): Destination | undefined {
  const [name, address] = first(env, [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT']);
  const exporter = word(env, `OTEL_${signal}_EXPORTER`) ?? 'otlp';
  if (address === undefined || exporter === 'none') return undefined;
  if (exporter !== 'otlp') throw unfit(`OTEL_${signal}_EXPORTER`, exporter, 'set it to otlp or none: quern sends OTLP only');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new QuernError('config', `${name} is not an address that begins with http:// or https://`, {
      hint: 'give the address of a collector for OTLP over HTTP, such as http://localhost:4318',
    });
  }
  const [compressed, compression = 'none'] = first(env, [`OTEL_EXPORTER_OTLP_${signal}_COMPRESSION`, 'OTEL_EXPORTER_OTLP_COMPRESSION']);
  if (compression !== 'none' && compression !== 'gzip') throw unfit(compressed, compression, 'set it to gzip or none');
  return { place: url.origin, protocol: protocolOf(env, signal), tls: url.protocol === 'https:' ? certificates(env, signal) : {} };
}

function protocolOf(env: Environment, signal: Signal): Protocol {
  const [name, given = 'http/protobuf'] = first(env, [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL']);
  const protocol = PROTOCOLS.find((one) => one === given);
  if (protocol !== undefined) return protocol;
  throw unfit(name, given, `set it to ${PROTOCOLS.join(' or ')}; collectors take both at their HTTP port, usually 4318`);
}

function certificates(env: Environment, signal: Signal): Destination['tls'] {
  const read = (what: string): Buffer | undefined => {
    const [name, file] = first(env, [`OTEL_EXPORTER_OTLP_${signal}_${what}`, `OTEL_EXPORTER_OTLP_${what}`]);
    if (file === undefined) return undefined;
    try {
      return readFileSync(file);
    } catch (cause) {
      throw new QuernError('config', `the file that ${name} names cannot be read: ${file}`, {
        hint: 'name a PEM file that quern may read',
        cause,
      });
    }
  };
  const [ca, cert, key] = [read('CERTIFICATE'), read('CLIENT_CERTIFICATE'), read('CLIENT_KEY')];
  return { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
}

function checkSampler(env: Environment): void {
  const sampler = word(env, 'OTEL_TRACES_SAMPLER');
  if (sampler === undefined) return;
  if (!SAMPLERS.includes(sampler)) throw unfit('OTEL_TRACES_SAMPLER', sampler, `the samplers are ${SAMPLERS.join(', ')}`);
  const ratio = word(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1';
  if (sampler.endsWith('ratio') && !(Number(ratio) >= 0 && Number(ratio) <= 1)) {
    throw unfit('OTEL_TRACES_SAMPLER_ARG', ratio, 'give a number from 0 to 1');
  }
}

function checkNumber(env: Environment, name: string): void {
  const given = word(env, name);
  if (given === undefined || (/^\d+$/.test(given) && Number(given) > 0 && Number(given) <= MOST)) return;
  throw unfit(name, given, `give ${name.endsWith('_SIZE') ? 'a whole number' : 'whole milliseconds'} from 1 to ${MOST}`);
}

/** As the specification has it, an empty variable is as good as none. */
const word = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

/** The first of the variables that is set, with its name; the last name where none is. */
function first(env: Environment, names: readonly [string, string]): readonly [string, string | undefined] {
  const name = names.find((one) => word(env, one) !== undefined) ?? names[1];
  return [name, word(env, name)];
}

const unfit = (name: string, value: string, hint: string): QuernError =>
  new QuernError('config', `${name} is ${JSON.stringify(value)}, which quern does not support`, { hint });
