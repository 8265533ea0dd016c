import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Target } from './attacks.ts';
import type { Sent } from './heavy-kinds.ts';
import { HEAVY } from './heavy-requests.ts';

/**
 * Sends requests of one kind of HEAVY: `node burst.ts <kind> <Target as JSON>`. Each line of the input,
 * `<count> <first>`, sends that many requests at once, numbered from `first`, and is answered by a line of
 * JSON: the number of responses by `answerOf`.
 */

/** Limit of connections per address. */
const CONNECTIONS = 250;
/** Characters of a response in which its code is found. */
const HEAD_CHARACTERS = 2_000;

async function send({ target, agent }: { target: Target; agent: Agent }, sent: Sent): Promise<string> {
  const { method, path, body, type, as } = sent;
  const token = as && { author: target.token, refresh: target.refresh, program: target.program }[as];
  const headers = {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': type ?? 'text/markdown' }),
    Accept: 'application/json, text/event-stream, */*',
  };
  const asked = request(target.url + path, { method, headers, agent }).end(body);
  // A server that has answered may close the connection while the body is still being sent.
  asked.on('error', () => {});
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let head = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    if (head.length < HEAD_CHARACTERS) head += String(chunk);
  }
  return answerOf(answer.statusCode ?? 0, head);
}

/** Returns the code of an envelope, the fault of XML-RPC, `error` of JSON-RPC, OK, or the status. */
function answerOf(status: number, head: string): string {
  const code = /^\{"code":"OK"|^\{"code":"ERROR","data":.*?"error":"(\w+)"/.exec(head);
  if (code) return code[1] ?? 'OK';
  const fault = /<fault>.*?<name>faultCode<\/name>\s*<value><(?:int|i4)>(-?\d+)/s.exec(head)?.[1];
  if (fault !== undefined) return `fault ${fault}`;
  if (status !== 200) return String(status);
  return /^\{(?:"jsonrpc":"2\.0",)?"error":\{|"isError":true/.test(head) ? 'error' : 'OK';
}

const [kind = '', json = ''] = process.argv.slice(2);
const target = JSON.parse(json) as Target;
const agent = new Agent({
  keepAlive: true,
  maxSockets: CONNECTIONS,
  ...(target.from && { localAddress: target.from }),
});
for await (const line of createInterface(process.stdin)) {
  const [requests = 0, first = 0] = line.split(' ').map(Number);
  const answers: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      const sent = await HEAVY[kind]?.request(first + index, target);
      const answer = sent ? await send({ target, agent }, sent).catch(() => 'broken off') : 'unknown kind';
      answers[answer] = (answers[answer] ?? 0) + 1;
    }),
  );
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
