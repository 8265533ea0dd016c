import type { RefusalCode } from '../rules/errors.ts';
import type { RouteName } from '../rules/routes.ts';

export interface CallText {
  /** One line in Chinese. */
  summary: string;
  /** Refusals beyond those that follow from the call's declaration (call-refusals.ts). */
  refuses: readonly RefusalCode[];
  /** Sentences in Chinese for facts that the schemas cannot express. */
  description?: string;
}

/** Texts of a group of calls, in the order in which the document lists them. */
export type CallTexts = Partial<Record<RouteName, CallText>>;

export const text = (
  summary: string,
  refuses: readonly RefusalCode[] = [],
  description?: string,
): CallText => (description === undefined ? { summary, refuses } : { summary, refuses, description });
