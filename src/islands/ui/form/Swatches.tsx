import type { Look } from '../../../lib/contract/rules/looks.ts';

const SHOWN = ['paper', 'ink', 'indigo', 'vermilion'] as const;
const SIDE = 16;

/** The main colours of a look in the light theme. */
export const Swatches = ({ colours }: Pick<Look, 'colours'>) => (
  <svg width={SHOWN.length * SIDE} height={SIDE} aria-hidden="true" className="flex-none">
    {SHOWN.map((role, index) => (
      <rect key={role} x={index * SIDE} width={SIDE} height={SIDE} fill={colours.light[role]} />
    ))}
    <rect
      x={0.5}
      y={0.5}
      width={SHOWN.length * SIDE - 1}
      height={SIDE - 1}
      className="fill-none stroke-line"
    />
  </svg>
);
