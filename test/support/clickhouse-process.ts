// The process of a ClickHouse server for tests: hands its command line to the engine, which is `clickhouse local` inside libchdb.
import { libchdbPath } from 'chdb/libchdb';
import { DataType, load, open } from 'ffi-rs';

const commandLine = ['clickhouse', ...process.argv.slice(2)];
open({ library: 'chdb', path: libchdbPath() });
load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [commandLine.length, commandLine],
});
// The engine has shut down; what it has at exit would only hold up the end.
process.exit(0);
