interface Props {
  /** Text of a file in src/icons: `import bell from '../../icons/bell.svg?raw'`. */
  svg: string;
  size: number;
}

/**
 * Icon in the text colour, hidden from screen readers. In .astro files, use the svg as a component instead.
 */
export function Icon({ svg, size }: Props) {
  const shapes = svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('<'));
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
  );
}
