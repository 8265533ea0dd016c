/**
 * Says that the code of an island has not come; pressing the button, as any press on the island, asks again
 * (hydrate.ts). Hidden until then (chrome.css).
 */
export function NotLoaded() {
  return (
    <p className="not-loaded" role="alert">
      <span>这部分没有加载出来，可能是网络不稳。</span>
      <button type="button" className="button-text">
        重试
      </button>
    </p>
  );
}
