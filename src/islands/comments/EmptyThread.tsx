const CELLS = 7;

/** An empty thread as components/EmptyState.astro draws it. */
export function EmptyThread() {
  return (
    <div className="py-10">
      <div
        className="grid max-w-full pl-px grid-flow-col w-max py-1 border-0 border-y border-solid border-line"
        aria-hidden="true"
      >
        {Array.from({ length: CELLS }, (_, index) => (
          <span
            key={index}
            className="grid place-items-center ml--px border border-solid border-line leading-none w-9 h-9"
          />
        ))}
      </div>
      <p className="mt-5 text-soft">还没有人评论，这里留着空白。</p>
    </div>
  );
}
