/** An icon of ours (`svg`, markup from a constant), in the size it is drawn there; whoever shows it alone gives it a name. */
export function Icon({ svg }: { svg: string }) {
  return <span className="inline-flex" dangerouslySetInnerHTML={{ __html: svg }} />;
}
