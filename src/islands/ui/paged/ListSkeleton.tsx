/** Placeholder rows of a list that is loading, with a message for readers without JavaScript. */
export const ListSkeleton = () => (
  <>
    <p className="list-status">
      <span className="sr-only">正在加载</span>
    </p>
    <div className="skeleton-rows" />
    <noscript>
      <p className="py-6 text-soft">这个页面需要 JavaScript 才能使用，请在浏览器中打开它。</p>
    </noscript>
  </>
);
