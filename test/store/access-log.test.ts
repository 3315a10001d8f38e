// Access logs in formats of the server's own, as they stand in its configuration.
import { describe, expect, test } from 'vitest';
import { accessLogReader } from '../../src/store/access-log.ts';
import { failure } from '../support/told.ts';

const NGINX = `log_format timed escape=default '$remote_addr - $remote_user [$time_local] '
    '"$request" $status $body_bytes_sent "$http_referer" '
    '"$http_user_agent" rt=$request_time up="$upstream_addr" id=$request_id';`;

test('nginx: the whole directive, over several lines', () => {
  const read = accessLogReader(NGINX);
  const line =
    '203.0.113.7 - ann lee [15/Jan/2026:10:00:00 +0100] "GET /a%20b?x=1 HTTP/1.1" 200 5 "-" "a \\x22b\\x22" rt=0.125 up="10.0.0.1:80" id=f00';
  expect(read(line)).toEqual({
    id: 'f00',
    timestamp: '2026-01-15T10:00:00+0100',
    event_message: 'GET | 200 | 203.0.113.7 | /a%20b?x=1 | a "b"',
    metadata: {
      request: {
        method: 'GET',
        path: '/a%20b',
        search: '?x=1',
        url: '/a%20b?x=1',
        protocol: 'HTTP/1.1',
        user: 'ann lee',
        headers: { x_real_ip: '203.0.113.7', user_agent: 'a "b"' },
      },
      response: { upstream_addr: '10.0.0.1:80', status_code: 200, origin_time: 125, headers: { content_length: 5 } },
    },
  });
  expect(() => read('something else')).toThrow('not in the format given');
});

test('nginx: JSON', () => {
  const read = accessLogReader(
    `escape=json '{"t":"$time_iso8601","h":"$host","u":"$request_uri","m":"$request_method","s":$status,"ua":"$http_user_agent"}'`,
  );
  const event = read('{"t":"2026-01-15T10:00:00+00:00","h":"a.example","u":"/x?y","m":"GET","s":404,"ua":"say \\"hi\\""}');
  expect(event).toMatchObject({
    timestamp: '2026-01-15T10:00:00+00:00',
    metadata: { request: { url: 'https://a.example/x?y', headers: { user_agent: 'say "hi"' } }, response: { status_code: 404 } },
  });
});

test('nginx: milliseconds since 1970, scheme and separate parts of the target', () => {
  const read = accessLogReader('$msec|$scheme|$host|$uri|$args|$status|$sent_http_content_type');
  expect(read('1768471200.250|http|a.example|/x|y=1|200|text/html')).toMatchObject({
    timestamp: '2026-01-15T10:00:00.250Z',
    metadata: {
      request: { url: 'http://a.example/x?y=1', path: '/x', search: '?y=1' },
      response: { headers: { content_type: 'text/html' } },
    },
  });
});

test('Apache: the directive with its quotes, and times in microseconds', () => {
  const read = accessLogReader(String.raw`LogFormat "%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" %D" timed`);
  expect(read('a.example:443 203.0.113.7 - - [15/Jan/2026:10:00:00 +0000] "POST /b HTTP/2.0" 500 77 "https://x/" 1500')).toMatchObject({
    timestamp: '2026-01-15T10:00:00+0000',
    metadata: {
      request: { method: 'POST', url: 'https://a.example/b', server_port: '443', headers: { referer: 'https://x/' } },
      response: { status_code: 500, origin_time: 2, bytes_sent: '77' },
    },
  });
});

describe('a format that cannot be read is refused', () => {
  test.each([
    ['$remote_addr $status', '--log-format has no time'],
    ['$time_local$status', '--log-format: there is nothing between time_local and status, so they cannot be told apart'],
    ['%{%s}t %h', '--log-format: %{%s}t is not supported'],
    ['%t %Z', '--log-format: %Z is not supported'],
    ['', '--log-format has no time'],
  ])('%s', (format, message) => {
    expect(failure(() => accessLogReader(format))).toMatchObject({ code: 'usage', message });
  });
});
