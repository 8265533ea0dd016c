import { Component, type ReactNode } from 'react';
import { Problem } from './form/Problem.tsx';

/** Limits an error to its island and offers a retry. */
export class IslandBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Problem
        text="这里出了点问题。"
        action="再试一次"
        className="my-4 text-sm text-soft"
        onRetry={() => this.setState({ hasFailed: false })}
      />
    );
  }
}
