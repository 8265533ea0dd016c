import { afterEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openNodes, type Nodes } from './nodes.ts';

let nodes: Nodes;
afterEach(() => nodes?.close());

test('maintenance runs on one node at a time', async () => {
  nodes = await openNodes();
  const order: string[] = [];
  let finish = () => {};
  const first = nodes.a.app.db.alone(async () => {
    order.push('a began');
    await new Promise<void>((resolve) => (finish = resolve));
  });
  await eventually(() => expect(order).toEqual(['a began']));
  await nodes.b.app.db.alone(async () => void order.push('b at the same time'));
  finish();
  await first;
  await nodes.b.app.db.alone(async () => void order.push('b afterwards'));
  expect(order).toEqual(['a began', 'b afterwards']);
});
