import {
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type SyntheticEvent,
} from 'react';
import { explain } from '../../lib/client/call-error.ts';
import { checkFields, type FieldErrors } from '../../lib/client/check.ts';
import { enter, NO_COOKIES } from '../../lib/stores/account/enter.ts';
import { isComposing } from '../ui/form/composition.ts';
import { leaveFor } from './use-send-on.ts';

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
 * submitting. The inputs are uncontrolled, because password managers write to them.
 * @param name call of the form; the controls are named after its fields
 * @param next path of this site to continue to
 * @returns `errors`: errors to show, by field; `refusal`: why the call failed, or ''
 */
export function useSignForm(
  name: 'signin' | 'signup' | 'operatorSetup' | 'signinFinish',
  next: string,
  { fixed = {}, goesOn, more }: Options = {},
) {
  const form = useRef<HTMLFormElement>(null);
  const edited = useRef(new Set<string>());
  const isRunning = useRef(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refusal, setRefusal] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const hasCookies = useSyncExternalStore(
    neverChanges,
    () => navigator.cookieEnabled,
    () => true,
  );

  // React does not replay input from before hydration, typed or filled in by a password manager.
  useEffect(() => {
    for (const control of form.current?.elements ?? []) {
      if (isText(control) && control.value !== '') {
        control.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
    }
  }, []);

  const fields = () => ({ ...fixed, ...fieldsOf(form.current) });
  /** Validates the fields. Returns no errors if the schemas fail to load: the server validates too. */
  const check = (): Promise<FieldErrors> => checkFields(name, fields()).catch(() => ({}));
  const judge = async (isMeant: (field: string) => boolean) => {
    const found = await check();
    setErrors((shown) => ({ ...only(shown, (field) => !isMeant(field)), ...only(found, isMeant) }));
  };

  const onInput = ({ target }: SyntheticEvent) => {
    const changed = nameOf(target);
    edited.current.add(changed);
    const isCorrected = (field: string) => field in errors && (field === changed || field === 'repassword');
    if (Object.keys(errors).some(isCorrected)) void judge(isCorrected);
  };
  const onBlur = ({ target }: SyntheticEvent) => {
    const left = nameOf(target);
    const isLeft = (field: string) => field === left || (left === 'password' && field === 'repassword');
    // A copy, because the next field may be edited before the schemas have loaded.
    const known = new Set(edited.current);
    if (known.has(left)) void judge((field) => isLeft(field) && known.has(field));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && isComposing(event)) event.preventDefault();
  };

  const send = async (): Promise<boolean> => {
    const found = await check();
    setErrors(found);
    const wrong = [...(form.current?.elements ?? [])].find((control) => nameOf(control) in found);
    if (wrong instanceof HTMLElement) wrong.focus();
    if (Object.keys(found).length > 0) return false;
    // The names of the controls and the validation guarantee the type.
    await enter(name, { ...fields(), ...(await more?.()) } as never);
    return true;
  };
  const onSubmit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    setRefusal('');
    let isIn = false;
    try {
      isIn = await send();
    } catch (error) {
      if (!goesOn?.(error)) setRefusal(explain(error, UNKNOWN));
    }
    // After success, the form stays busy until the next page has loaded.
    if (isIn) return leaveFor(next);
    isRunning.current = false;
    setIsBusy(false);
  };

  const handlers = {
    ref: form,
    onInput,
    onBlur,
    onKeyDown,
    onSubmit: (event: SyntheticEvent) => void onSubmit(event),
  };
  return { handlers, errors, refusal: refusal === '' && !hasCookies ? NO_COOKIES : refusal, isBusy };
}

const neverChanges = () => () => undefined;

const nameOf = (target: EventTarget): string => ('name' in target ? String(target.name) : '');

const isText = (control: Element): control is HTMLInputElement | HTMLTextAreaElement =>
  control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && control.type !== 'radio');

const fieldsOf = (form: HTMLFormElement | null): Record<string, unknown> =>
  form ? Object.fromEntries(new FormData(form)) : {};

const only = (errors: FieldErrors, isMeant: (field: string) => boolean): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => isMeant(field)));
