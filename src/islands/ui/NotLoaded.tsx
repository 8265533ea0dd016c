/** Shown if an island's code fails to load. A click retries (hydrate.ts). chrome.css hides it until then. */
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
