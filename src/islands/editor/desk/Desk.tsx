import { Switch } from '@base-ui/react/switch';
import { startTransition, useEffect, useId, useRef, useState, type ReactNode, type Ref } from 'react';
import { Tabs } from '@base-ui/react/tabs';
import { flushSync } from 'react-dom';
import { ArticleFields } from '../fields/ArticleFields.tsx';
import { TagField } from '../fields/TagField.tsx';
import { TitleField } from '../fields/TitleField.tsx';
import { useWriter, type Writer } from '../writing/use-writer.ts';
import { IconButton } from '../writing/Icon.tsx';
import { CONTENT_ERROR_ID, CONTENT_HELP_ID } from '../../../lib/shared/ids.ts';
import type { FieldErrors } from '../../../lib/client/check.ts';
import { BOUNDS, countCharacters } from '../../../lib/contract/rules/bounds.ts';
import type { Draft } from '../../../lib/stores/draft/draft-types.ts';
import { showError } from '../../../lib/stores/toasts.ts';
import { lazyPart } from '../../ui/lazy.tsx';
import { ConflictDialog } from '../conflict/ConflictDialog.tsx';
import { OutlinePart } from '../outline/OutlinePart.tsx';
import { useOutline } from '../outline/use-outline.ts';
import { OutsidePictures } from '../pictures/OutsidePictures.tsx';
import { Pane } from '../writing/Pane.tsx';
import type { PictureAt } from '../pictures/picture-at-caret.ts';
import { PictureRow } from '../pictures/PictureRow.tsx';
import { Preview } from '../preview/Preview.tsx';
import type { LinedPane, Writing } from '../writing/writing.ts';
import { DeskFoot } from './DeskFoot.tsx';
import { DeskTools } from './DeskTools.tsx';
import { scrollInStep } from './in-step.ts';
import { coverWhileTyping, useTypingRoom } from './use-typing-room.ts';
import { useComparison, useFocusedText, useOfflineParts, useSaveKey, useStay } from './use-desk.ts';
import { FOCUS_KEY, useIsWide, useRoom } from './use-screen.ts';
import { useMore } from './use-more.tsx';

interface DeskHeadProps {
  writer: Writer;
  title: Ref<HTMLTextAreaElement>;
  tags: Ref<HTMLInputElement>;
  onEnter(): void;
}

function DeskHead({ writer, title, tags, onEnter }: DeskHeadProps) {
  const { fields, errors, articleId, change, isPage } = writer;
  const id = useId();
  return (
    <div className="desk-head">
      <TitleField
        ref={title}
        title={fields.title}
        error={errors['title']}
        onChange={(value) => change({ title: value })}
        onEnter={onEnter}
      />
      <div className="flex items-start gap-4">
        {isPage ? (
          <p className="flex-1 flex items-center min-h-11 text-sm text-soft">网站的页面，不在文章列表里</p>
        ) : (
          <TagField
            ref={tags}
            tags={fields.tags}
            error={errors['tags']}
            onChange={(value) => change({ tags: value })}
          />
        )}
        <div className="inline-flex items-center gap-[0.6rem] min-h-11 text-[0.875rem] text-soft whitespace-nowrap cursor-pointer">
          <label htmlFor={id} title="只有自己能看到">
            私密
          </label>
          <Switch.Root
            id={id}
            className="switch"
            checked={fields.secret}
            onCheckedChange={(value) => change({ secret: value })}
          >
            <Switch.Thumb className="switch-thumb" />
          </Switch.Root>
        </div>
      </div>
      <ArticleFields {...{ fields, errors, articleId, change, isPage }} />
    </div>
  );
}

const WritingPane = lazyPart(
  () => import('../writing/WritingPane.tsx'),
  <p className="px-5 py-4 text-soft">正在铺纸……</p>,
);

interface Props {
  draft: Draft;
  notice: ReactNode;
  pictureHosts: readonly string[];
}

export function Desk({ draft, notice, pictureHosts }: Props) {
  const [writing, setWriting] = useState<Writing | null>(null);
  const [preview, setPreview] = useState<LinedPane | null>(null);
  const [chosen, setTab] = useState<'write' | 'preview'>('write');
  const [isBeside, setBeside] = useState(true);
  const [picture, setPicture] = useState<PictureAt | null>(null);
  const [pastes, setPastes] = useState(0);
  const [room, setRoom] = useRoom();
  const outline = useOutline();
  const isWide = useIsWide();
  const desk = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLTextAreaElement>(null);
  const tags = useRef<HTMLInputElement>(null);
  const tools = useRef<HTMLDivElement>(null);
  const foot = useRef<HTMLDivElement>(null);

  const isFocused = room === 'focus';
  const tab = isFocused ? 'write' : chosen;

  const leaveFocus = () => {
    setRoom(null);
    writing?.focus();
  };
  const find = () =>
    requestAnimationFrame(() => {
      // Only a visible panel can be focused.
      flushSync(() => setTab('write'));
      writing?.find();
    });
  const toFirst = (errors: FieldErrors) => {
    // The field with the error must be visible.
    if (isFocused) flushSync(() => setRoom(null));
    if (errors['title']) title.current?.focus();
    else if (errors['tags']) tags.current?.focus();
    else if (errors['content']) {
      setTab('write');
      writing?.focus();
    } else showError(Object.values(errors)[0] ?? '');
  };
  const comparison = useComparison(draft);
  const writer = useWriter(draft, ({ content }) => writing?.show(content), toFirst, comparison.open);
  const { fields, change } = writer;
  const more = useMore({ writer, writing });
  const isTyping = useTypingRoom(desk, writing) && !isWide;
  const isPreviewing = isWide ? isBeside && !isFocused : tab === 'preview';
  useSaveKey(() => void writer.save());
  useStay(draft);

  useOfflineParts();
  useFocusedText(isFocused, isWide || tab === 'write' ? writing : null);
  useEffect(() => {
    if (!writing || !preview || !isWide || !isPreviewing) return undefined;
    return scrollInStep(writing, preview);
  }, [writing, preview, isWide, isPreviewing]);

  /** On phones the page scrolls. Switching tabs keeps the line at the top edge in place. */
  const show = (next: 'write' | 'preview') => {
    const [from, to] = next === 'preview' ? [writing, preview] : [preview, writing];
    const edge = tools.current?.getBoundingClientRect().bottom ?? 0;
    const isAtTop = (from?.heightOf(1) ?? edge) >= edge;
    const line = from?.lineAt(edge) ?? 1;
    setTab(next);
    if (isAtTop || !to) return;
    requestAnimationFrame(() => scrollBy({ top: to.heightOf(line) - edge, behavior: 'instant' }));
  };

  const covered = () => {
    const toolbar = tools.current?.querySelector<HTMLElement>('[role=toolbar]')?.offsetHeight ?? 0;
    if (isTyping && visualViewport)
      return coverWhileTyping(visualViewport, document.documentElement.clientHeight, toolbar);
    return {
      top: tools.current?.getBoundingClientRect().bottom ?? 0,
      bottom: foot.current?.offsetHeight ?? 0,
    };
  };

  return (
    <Tabs.Root
      ref={desk}
      value={tab}
      onValueChange={show}
      className="desk"
      {...more.dropping}
      data-beside={isWide && isPreviewing ? '' : undefined}
      data-outline={outline.isBeside && outline.isOpen && !isFocused ? '' : undefined}
      data-full={room ? '' : undefined}
      data-focus={isFocused ? '' : undefined}
      data-typing={isTyping ? '' : undefined}
    >
      {/* Leaves the focus mode on devices without an Escape key. */}
      {isFocused && (
        <IconButton
          icon="smallScreen"
          className="desk-leave"
          label="退出专注模式"
          title="退出专注模式（Esc）"
          onClick={leaveFocus}
        />
      )}
      {writing && !(isFocused && outline.isBeside) && (
        <OutlinePart writing={writing} choice={outline} onShowText={() => setTab('write')} />
      )}
      <div className="desk-source">
        {notice}
        <DeskHead writer={writer} title={title} tags={tags} onEnter={() => writing?.focus()} />
        <DeskTools
          ref={tools}
          writing={writing}
          isWide={isWide}
          tab={tab}
          isBeside={isBeside}
          room={room}
          onBeside={setBeside}
          onRoom={setRoom}
        />
        <Pane value="write" name="写作" isWide={isWide} isShown={isWide || tab === 'write'}>
          <WritingPane
            content={fields.content}
            onChange={(content) => change({ content })}
            onRefused={showError}
            onPicture={setPicture}
            onPasted={() => {
              writer.followNow();
              startTransition(() => setPastes((count) => count + 1));
            }}
            covered={covered}
            onReady={setWriting}
          />
        </Pane>
        <p id={CONTENT_ERROR_ID} role="alert" className="field-error px-5 lg:px-10 empty:hidden">
          {tooLong(fields.content) ?? writer.errors['content']}
        </p>
        <p id={CONTENT_HELP_ID} className="sr-only">
          按 Tab 缩进；先按 Esc 再按 Tab 离开正文。
        </p>
      </div>
      <Pane value="preview" name="预览" isWide={isWide} isShown={isPreviewing}>
        <Preview title={fields.title} content={fields.content} isShown={isPreviewing} onReady={setPreview} />
      </Pane>
      <DeskFoot
        ref={foot}
        draft={draft}
        writer={writer}
        onConflict={comparison.open}
        onTemplates={more.showTemplates}
        more={[
          { text: '查找和替换', keys: 'Mod-f', movesFocus: true, run: () => void find() },
          {
            text: outline.isBeside && outline.isOpen ? '收起大纲' : '大纲',
            run: () => outline.set(!outline.isOpen),
          },
          {
            text: isFocused ? '退出专注模式' : '专注模式',
            keys: FOCUS_KEY,
            movesFocus: true,
            run: () => (isFocused ? leaveFocus() : setRoom('focus')),
          },
          ...more.items,
        ]}
      >
        {picture && writing && <PictureRow picture={picture} writing={writing} />}
        <OutsidePictures content={fields.content} writing={writing} hosts={pictureHosts} pastes={pastes} />
      </DeskFoot>
      {more.parts}
      <ConflictDialog draft={draft} isOpen={comparison.isOpen} onClose={comparison.close} />
    </Tabs.Root>
  );
}

/**
 * Returns the error for a text beyond the contract's limit. Counts characters only if the limit may be
 * exceeded.
 */
function tooLong(content: string): string | undefined {
  const [, most] = BOUNDS.content;
  if (content.length <= most) return undefined;
  const count = countCharacters(content);
  const format = (number: number) => number.toLocaleString('zh-CN');
  return count > most ? `正文不能超过 ${format(most)} 个字符，现在有 ${format(count)} 个` : undefined;
}
