interface Props {
  /** A file of src/icons as text: `import bell from '../../icons/bell.svg?raw'`. */
  svg: string;
  size: number;
}

/** An icon in the colour of the text, hidden from screen readers. In .astro files the svg is a component. */
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
