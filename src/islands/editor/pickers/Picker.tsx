import { Autocomplete } from '@base-ui/react/autocomplete';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { isComposing } from '../../ui/form/composition.ts';

interface Props<T> {
  title: string;
  label: string;
  placeholder: string;
  choicesOf(query: string): readonly T[];
  /** Returns the text to show when no choice matches. */
  emptyOf(query: string): string;
  keyOf(choice: T): string;
  nameOf(choice: T): string;
  /** Called after `onClose`. */
  onPick(choice: T): void;
  onClose(): void;
  children(choice: T, query: string): ReactNode;
}

/**
 * Dialog with a searchable list. Arrow keys move through it, Enter or a click picks an item. Queries are
 * passed without surrounding white space.
 */
export function Picker<T>(props: Props<T>) {
  const { title, label, placeholder, choicesOf, emptyOf, keyOf, nameOf, onPick, onClose, children } = props;
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const keepEnter = (event: KeyboardEvent) => {
    // Enter here confirms a word of the input method.
    if (event.key === 'Enter' && isComposing(event)) event.stopPropagation();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose} place="top">
      <Autocomplete.Root<T>
        inline
        open
        autoHighlight="always"
        keepHighlight
        items={choicesOf(query)}
        filter={null}
        value={typed}
        // Picking an item would write its name into the field.
        onValueChange={(text, { reason }) => reason === 'input-change' && setTyped(text)}
        itemToStringValue={nameOf}
      >
        <div onKeyDownCapture={keepEnter}>
          <Autocomplete.Input
            aria-label={label}
            placeholder={placeholder}
            className="field mt-4"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="done"
          />
        </div>
        <Autocomplete.Empty className="px-4 py-3 text-sm text-soft empty:hidden">
          {emptyOf(query)}
        </Autocomplete.Empty>
        <Autocomplete.List className="picker-list">
          {(choice: T) => (
            <Autocomplete.Item
              key={keyOf(choice)}
              value={choice}
              className="picker-item"
              onClick={() => {
                onClose();
                onPick(choice);
              }}
            >
              {children(choice, query)}
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  );
}
