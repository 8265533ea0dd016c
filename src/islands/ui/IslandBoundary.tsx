import { Component, type ReactNode } from 'react';

/** Limits an error to its island and offers a retry. */
export class IslandBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <p role="alert" className="my-4 text-sm text-soft">
        这里出了点问题。
        <button type="button" className="button-text" onClick={() => this.setState({ hasFailed: false })}>
          再试一次
        </button>
      </p>
    );
  }
}
