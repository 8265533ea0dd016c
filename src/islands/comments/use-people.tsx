/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role */
/* oxlint-disable jsx-a11y/click-events-have-key-events -- the field keeps the focus, and sees the keys */
import {
  use,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { peopleId, personId } from '../../lib/shared/ids.ts';
import { isComposing } from '../ui/form/composition.ts';
import { mentionBefore, offer, People, putName, type TypedMention } from './people.ts';

interface Field {
  ref: RefObject<HTMLTextAreaElement | null>;
  text: string;
  write: (text: string) => void;
  kind: string;
}

/**
 * Suggests people after an `@` in a field. Arrow keys and Enter or Tab select, Escape closes, a click
 * selects. During input-method composition it suggests nothing and handles no keys.
 * @returns attributes of the field, the list to render below it, and a handler that has to see keys first
 */
export function usePeople({ ref, text, write, kind }: Field) {
  const people = use(People);
  const [asked, setAsked] = useState<TypedMention | null>(null);
  const [active, setActive] = useState(0);
  const caret = useRef<number | null>(null);
  const found = asked ? offer(people, asked) : [];
  const isOpen = found.length > 0;
  const at = Math.min(active, found.length - 1);

  useLayoutEffect(() => {
    if (caret.current === null) return;
    ref.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  const look = () => {
    const field = ref.current;
    const { selectionStart = 0, selectionEnd = 0, value = '' } = field ?? {};
    const next = selectionStart === selectionEnd ? mentionBefore(value, selectionStart) : null;
    if (next?.typed !== asked?.typed || next?.at !== asked?.at) setActive(0);
    setAsked(next);
  };
  const choose = (name: string) => {
    if (!asked || !ref.current) return;
    const put = putName(text, ref.current.selectionStart, asked, name);
    caret.current = put.caret;
    write(put.text);
    setAsked(null);
  };
  /** @returns whether the key was handled */
  const takeKey = (event: KeyboardEvent): boolean => {
    if (!isOpen || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: found.length - 1 };
    const step = steps[event.key];
    if (step !== undefined) setActive((at + step) % found.length);
    else if (event.key === 'Escape') setAsked(null);
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey))
      choose(found[at]?.username ?? '');
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const list: ReactNode = (
    <>
      <output className="sr-only">{isOpen ? `可以提到 ${found.length} 人，用上下键选择` : ''}</output>
      {isOpen && (
        <ul
          id={peopleId(kind)}
          role="listbox"
          aria-label="提到谁"
          className="absolute left-0 top-full z-20 m-0 mt-1 p-0 py-1 list-none min-w-48 max-w-full rounded bg-raised shadow-float"
        >
          {found.map(({ username, displayName }, index) => (
            <li
              key={username}
              id={personId(kind, index)}
              role="option"
              aria-selected={index === at}
              className="flex items-center min-h-11 px-4 cursor-pointer hover:bg-wash aria-selected:bg-wash"
              // Keeps focus in the field, and the keyboard of a phone open.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(username)}
            >
              <bdi className="truncate">{displayName || username}</bdi>
              {displayName && <bdi className="meta ml-2">@{username}</bdi>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
  return {
    takeKey,
    list,
    attributes: {
      'aria-autocomplete': 'list',
      'aria-controls': isOpen ? peopleId(kind) : undefined,
      'aria-activedescendant': isOpen ? personId(kind, at) : undefined,
      onSelect: look,
      onCompositionStart: () => setAsked(null),
      onCompositionEnd: look,
      onBlur: () => setAsked(null),
    } as const,
  };
}
