// Reads the address of Redis from the settings.

import { QuernError } from '../../base/errors.ts';
import type { SettingValues } from '../../config/settings.ts';
import type { RedisAddress } from '../../server/shared/redis.ts';

/** Returns undefined where none is set. Throws QuernError `usage` for settings that would have no effect. */
export function redisAddress({
  redis_url: url,
  redis_password: password,
  redis_ca_file: caFile,
  redis_prefix: prefix,
}: SettingValues): RedisAddress | undefined {
  if (url === undefined) return undefined;
  if (caFile === undefined || /^rediss:/i.test(url)) return { url, password, caFile, prefix };
  throw new QuernError('usage', 'redis_ca_file is set, but redis_url starts with redis://, which does not use TLS', {
    hint: 'write rediss:// for TLS, or leave out redis_ca_file',
  });
}
