// What is used of ioredis, which is there only where somebody has installed it.
declare module 'ioredis' {
  interface RedisOptions {
    readonly host: string;
    readonly port: number;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
    readonly db: number;
    readonly tls?: { readonly servername?: string; readonly ca?: Buffer } | undefined;
    readonly protocol: 2;
    readonly connectionName: string;
    readonly connectTimeout: number;
    readonly commandTimeout: number;
    readonly keepAlive: number;
    readonly enableOfflineQueue: boolean;
    readonly autoResendUnfulfilledCommands: boolean;
    readonly maxRetriesPerRequest: number;
    readonly retryStrategy: (times: number) => number;
    readonly reconnectOnError: (error: Error) => boolean;
  }
  export class Redis {
    constructor(options: RedisOptions);
    readonly status: string;
    on(event: 'ready' | 'close', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    get(key: string): Promise<string | null>;
    set(key: string, value: string | Buffer, unit: 'EX' | 'PX', time: number): Promise<unknown>;
    unlink(...keys: string[]): Promise<number>;
    hgetall(key: string): Promise<Record<string, string>>;
    info(section: string): Promise<string>;
    eval(script: string, keys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
    disconnect(reconnect?: boolean): void;
    quit(): Promise<unknown>;
  }
}
