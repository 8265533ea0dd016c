import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../../../src/lib/server/http/http-handler.ts';
import { createPacing } from '../../../../src/lib/server/http/pacing.ts';

const COST_MS = 4;
let time: number;
let begun: string[];
let pace: (address: string, socket?: { destroyed: boolean }) => void;

beforeEach(() => {
  time = 0;
  const own: string[] = (begun = []);
  const handler = createPacing({ trustedHops: 0, now: () => time });
  pace = (address, socket = { destroyed: false }) =>
    handler(
      { socket: Object.assign(socket, { remoteAddress: address }) } as unknown as IncomingMessage,
      {} as HttpResponse,
      () => {
        own.push(address);
        time += COST_MS;
      },
    );
});

const round = () => new Promise((resolve) => setImmediate(resolve));
const [FLOOD, OTHER] = ['198.51.100.7', '198.51.100.8'];

describe('requests of one round of the event loop', () => {
  test('start at once until they used up the round’s time', () => {
    for (let index = 0; index < 80; index++) pace(FLOOD);
    expect(begun).toHaveLength(3);
  });

  test('start one per round beyond that, the next from another client', async () => {
    for (let index = 0; index < 80; index++) pace(FLOOD);
    pace(OTHER);
    for (let index = 0; index < 4; index++) await round();
    expect(begun.indexOf(OTHER)).toBeLessThanOrEqual(5);
    expect(begun.length).toBeLessThanOrEqual(8);
    while (begun.length < 81) await round();
    expect(begun.filter((address) => address === FLOOD)).toHaveLength(80);
  });

  test('all start at once in each of many short rounds', async () => {
    for (let count = 0; count < 20; count++) {
      pace(FLOOD);
      pace(FLOOD);
      await round();
    }
    expect(begun).toHaveLength(40);
  });

  test('do not start once their client has disconnected', async () => {
    for (let index = 0; index < 3; index++) pace(FLOOD);
    const gone = { destroyed: false };
    pace(OTHER, gone);
    gone.destroyed = true;
    pace(FLOOD);
    while (begun.length < 4) await round();
    expect(begun).not.toContain(OTHER);
  });
});
