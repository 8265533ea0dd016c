import { useId, useRef, useState, type Ref } from 'react';
import { Combobox } from '@base-ui/react/combobox';
import { isRefusedWith } from '../../../lib/client/is-refused-with.ts';
import { checkFields } from '../../../lib/client/check.ts';
import { call } from '../../../lib/stores/api.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogEnd } from '../../ui/DialogEnd.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { BOUNDS } from '../../../lib/contract/rules/bounds.ts';
import { Icon } from '../writing/Icon.tsx';
import { TextButton } from '../../ui/Button.tsx';
import { isComposing } from '../../ui/form/composition.ts';
import { choicesOf, type Choice } from './tag-choices.ts';

/** Asks for the description of a new tag and creates the tag immediately. */
function TagDialog({ name, onClose, onCreated }: { name: string; onClose(): void; onCreated(): void }) {
  const id = useId();
  const [description, setDescription] = useState('');
  const { problem, isBusy, onSubmit } = useSubmit(async (): Promise<string | void> => {
    const errors = await checkFields('tagCreate', { name, description });
    const invalid = errors['description'] ?? errors['name'];
    if (invalid !== undefined) return invalid;
    try {
      await call('tagCreate', { name, description }, { quiet: true });
      onCreated();
    } catch (error) {
      if (isRefusedWith(error, 'TAG_TAKEN')) return '已经有这个标签，它的描述没有改';
      throw error;
    }
  });

  return (
    <Dialog title={`标签「${name}」`} isOpen onClose={onClose}>
      <form onSubmit={onSubmit} noValidate className="mt-4">
        <label htmlFor={`${id}-description`} className="block text-sm text-soft">
          描述
        </label>
        <textarea
          id={`${id}-description`}
          className="field mt-1 min-h-24 resize-y"
          value={description}
          rows={3}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-description-error`}
          onChange={({ target }) => setDescription(target.value)}
        />
        <p id={`${id}-description-error`} role="alert" className="field-error">
          {problem}
        </p>
        <DialogEnd action="保存" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Names of the most used tags, loaded once on first use. A failed load is retried on the next use. */
function useAllTags() {
  const [all, setAll] = useState<readonly string[]>([]);
  const isAsked = useRef(false);
  return {
    all,
    load(): void {
      if (isAsked.current) return;
      isAsked.current = true;
      const forget = () => void (isAsked.current = false);
      call('allTags', {}, { quiet: true }).then(setAll, forget);
    },
  };
}

const [, MAX_TAGS] = BOUNDS.tags;
/** Characters that end a tag, in addition to Enter. */
const SEPARATOR = /[,，、]/;

const nameOf = (typed: string) => typed.trim().normalize('NFC');

interface Props {
  tags: readonly string[];
  error: string | undefined;
  onChange(tags: string[]): void;
  ref?: Ref<HTMLInputElement>;
}

/**
 * Tags of the article, chosen from existing ones or new. The server creates a new tag when the article is
 * saved. New tags can be described.
 */
export function TagField({ tags, error, onChange, ref }: Props) {
  const id = useId();
  const [query, setQuery] = useState('');
  const [fresh, setFresh] = useState<string | null>(null);
  const [isDescribing, setDescribing] = useState(false);
  const { all, load } = useAllTags();
  const box = useRef<HTMLDivElement>(null);
  const [isTooMany, setTooMany] = useState(false);
  const shownError = isTooMany ? `标签不能超过 ${MAX_TAGS} 个` : error;
  const selected = tags.map((name): Choice => ({ name }));
  const choices = choicesOf(all, tags, query);

  const pick = (next: Choice[], details: { reason: string }) => {
    // Escape closes the list; a second Escape would remove all tags.
    if (details.reason === 'escape-key') return;
    setQuery('');
    take(next.map(({ name }) => name));
  };
  const type = (text: string, isUnfinished: boolean) => {
    const names = text.split(SEPARATOR);
    const rest = isUnfinished || names.length === 1 ? text : (names.pop() ?? '');
    setQuery(rest);
    if (rest !== text) take([...tags, ...names.map(nameOf).filter(Boolean)]);
  };
  const take = (names: readonly string[]) => {
    const next = [...new Set(names)];
    setTooMany(next.length > MAX_TAGS);
    if (next.length > MAX_TAGS) return;
    setFresh(next.find((name) => !tags.includes(name) && !all.includes(name)) ?? null);
    onChange(next);
  };

  return (
    <div className="min-w-0 flex-1">
      <Combobox.Root<Choice, true>
        multiple
        // Enter takes the typed tag; a pointer at rest over the list must not choose another.
        highlightItemOnHover={false}
        items={choices}
        filter={null}
        limit={60}
        value={selected}
        onValueChange={pick}
        inputValue={query}
        onInputValueChange={(text, { event }) => type(text, event instanceof InputEvent && event.isComposing)}
        onOpenChange={(isOpen) => isOpen && load()}
        isItemEqualToValue={(one, other) => one.name === other.name && !one.isNew}
        itemToStringLabel={({ name }) => name}
      >
        <label htmlFor={id} className="sr-only">
          标签
        </label>
        <Combobox.Chips
          ref={box}
          className="flex flex-wrap items-center gap-x-2 gap-y-1 min-h-11 text-[0.875rem] focus-within:[box-shadow:0_1px_0_var(--indigo)]"
          aria-label={tags.length > 0 ? '已选标签' : undefined}
        >
          {selected.map(({ name }) => (
            <Combobox.Chip key={name} className="tag-chip" aria-label={name}>
              <bdi className="min-w-0 truncate">{name}</bdi>
              <Combobox.ChipRemove className="tag-chip-remove" aria-label={`去掉 ${name}`}>
                <Icon name="close" />
              </Combobox.ChipRemove>
            </Combobox.Chip>
          ))}
          <Combobox.Input
            id={id}
            ref={ref}
            className="tag-input"
            placeholder={tags.length > 0 ? '再加一个' : '添加标签'}
            aria-invalid={shownError !== undefined}
            aria-describedby={`${id}-error`}
            autoComplete="off"
            enterKeyHint="done"
            onKeyDown={(event) => {
              const isMoved = event.currentTarget.getAttribute('aria-activedescendant') !== null;
              if (event.key !== 'Enter' || isMoved || query.trim() === '' || isComposing(event)) return;
              event.preventDefault();
              setQuery('');
              take([...tags, nameOf(query)]);
            }}
          />
        </Combobox.Chips>
        <Combobox.Portal>
          <Combobox.Positioner anchor={box} sideOffset={6} align="start" className="z-40 outline-none">
            <Combobox.Popup className="options">
              <Combobox.Empty className="px-4 py-2 text-sm text-soft empty:hidden">
                {query.trim() === '' ? '还没有标签，写下名字就能新建' : ''}
              </Combobox.Empty>
              <Combobox.List>
                {(choice: Choice) => (
                  <Combobox.Item
                    key={choice.isNew ? '\0new' : choice.name}
                    value={choice}
                    className="flex items-center gap-2 min-h-11 px-4 py-1 cursor-pointer hover:bg-sunk data-[highlighted]:bg-wash"
                  >
                    {choice.isNew ? (
                      <>
                        <Icon name="plus" />
                        <span className="min-w-0">
                          新建标签「<bdi>{choice.name}</bdi>」
                        </span>
                      </>
                    ) : (
                      <>
                        <span className="w-4">
                          <Combobox.ItemIndicator>
                            <Icon name="check" />
                          </Combobox.ItemIndicator>
                        </span>
                        <bdi className="min-w-0">{choice.name}</bdi>
                      </>
                    )}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
      <p id={`${id}-error`} className="field-error mt-0 empty:hidden" role="alert">
        {shownError}
      </p>
      {fresh !== null && tags.includes(fresh) && (
        <TextButton className="text-sm" onClick={() => setDescribing(true)}>
          <span>
            给新标签「<bdi>{fresh}</bdi>」写一句描述
          </span>
        </TextButton>
      )}
      {isDescribing && fresh !== null && (
        <TagDialog
          name={fresh}
          onClose={() => setDescribing(false)}
          onCreated={() => {
            setDescribing(false);
            setFresh(null);
          }}
        />
      )}
    </div>
  );
}
