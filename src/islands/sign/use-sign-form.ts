import { useEffect, useRef, type KeyboardEvent, type SyntheticEvent } from 'react';
import {
  enter,
  NO_COOKIES,
  pageAfter,
  provesSignedIn,
  type SignCall,
} from '../../lib/stores/account/enter.ts';
import { $session } from '../../lib/stores/account/session.ts';
import type { FieldErrors } from '../../lib/client/check.ts';
import { isComposing } from '../ui/form/composition.ts';
import { nameOf, useFields } from '../ui/form/use-fields.ts';
import { useBrowser } from '../ui/use-browser.ts';

let isLeaving = false;

/** Replaces the form with the page after a sign-in. Only the first call has an effect. */
export async function leaveFor(next: string): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  location.replace(await pageAfter(next));
}

/**
 * Redirects a signed-in reader to `next`, also after sign-in in another tab. An existing session is verified
 * first, because `next` would send a reader with an expired session back here in a loop.
 */
export function useSendOn(next: string): void {
  useEffect(() => {
    let isOld = true;
    const sendOn = async (isProven: boolean) => {
      if (isProven || (await provesSignedIn())) await leaveFor(next);
    };
    const unsubscribe = $session.subscribe((session) => {
      if (session) void sendOn(!isOld);
    });
    isOld = false;
    return unsubscribe;
  }, [next]);
}

const UNKNOWN = '出了点问题，请再试一次';

interface Options {
  fixed?: Record<string, string>;
  /** Receives the error of a failed call. Returns true if it handles the error, which is not shown then. */
  goesOn?: (error: unknown) => boolean;
  /** Fields to wait for on submit. @throws CallError if they are not available */
  more?: () => Promise<Record<string, string>>;
}

/**
 * State of a sign-in form. Validates a field on blur, then on each correction, and all fields before
 * submitting.
 * @param name call of the form; the controls are named after its fields
 * @param next path of this site to continue to
 * @returns `errors`: errors to show, by field; `refusal`: why the call failed, or ''
 */
export function useSignForm(name: SignCall, next: string, { fixed = {}, goesOn, more }: Options = {}) {
  const edited = useRef(new Set<string>());
  const send = async (fields: Record<string, string>) => {
    try {
      await enter(name, { ...fields, ...(await more?.()) });
    } catch (error) {
      if (goesOn?.(error)) return;
      throw error;
    }
    await leaveFor(next);
    // The form stays busy until the next page has loaded.
    await new Promise(() => undefined);
  };
  const { form, errors, setErrors, check, problem, isBusy, onSubmit } = useFields(name, fixed, send, UNKNOWN);
  const hasCookies = useBrowser(() => navigator.cookieEnabled, true);

  const judge = async (isMeant: (field: string) => boolean, isKept: (field: string) => boolean) => {
    const found = await check();
    setErrors((shown) => ({ ...only(shown, isKept), ...only(found, isMeant) }));
  };

  const onInput = ({ target }: SyntheticEvent) => {
    const changed = nameOf(target);
    edited.current.add(changed);
    const isCorrected = (field: string) => field in errors && (field === changed || field === 'repassword');
    if (Object.keys(errors).some(isCorrected)) void judge(isCorrected, (field) => !isCorrected(field));
  };
  const onBlur = ({ target }: SyntheticEvent) => {
    const left = nameOf(target);
    const isLeft = (field: string) => field === left || (left === 'password' && field === 'repassword');
    // A copy, because the next field may be edited before the schemas have loaded.
    const known = new Set(edited.current);
    // Keeps errors, because the schema does not know why the server refused a field.
    if (known.has(left))
      void judge(
        (field) => isLeft(field) && known.has(field),
        () => true,
      );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && isComposing(event)) event.preventDefault();
  };

  return {
    handlers: { ref: form, onInput, onBlur, onKeyDown, onSubmit },
    errors,
    refusal: problem === '' && !hasCookies ? NO_COOKIES : problem,
    isBusy,
  };
}

const only = (errors: FieldErrors, isMeant: (field: string) => boolean): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => isMeant(field)));
