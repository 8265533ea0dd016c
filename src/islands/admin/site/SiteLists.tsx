import { sections } from '../../../lib/contract/rules/page-list.ts';
import { SITE_BOUNDS } from '../../../lib/contract/rules/site-rules.ts';
import { FieldNotes } from '../../ui/form/LineField.tsx';
import type { SiteFrame } from './AccentField.tsx';
import { Action } from '../../ui/Action.tsx';
import { TextButton } from '../../ui/Button.tsx';

interface NavProps extends SiteFrame {
  value: Record<string, string | null>;
  onChange(value: Record<string, string | null>): void;
}

export function NavField({ value, onChange, disabled, ...frame }: NavProps) {
  return (
    <fieldset className="m-0 p-0 border-0 min-w-0" disabled={disabled}>
      <legend className="mb-1 p-0 text-sm text-soft">显示的栏目和名称</legend>
      <ul role="list">
        {sections.map(({ href, text }, index) => {
          const label = value[href];
          const isShown = label !== null;
          return (
            <li key={href} className="flex items-center gap-x-3 mb-2">
              <label className="inline-flex flex-none items-center gap-2 min-h-11 w-24 cursor-pointer">
                <input
                  type="checkbox"
                  id={index === 0 ? frame.id : undefined}
                  checked={isShown}
                  aria-label={`显示${text}`}
                  onChange={() => onChange({ ...value, [href]: isShown ? null : text })}
                />
                <span className="truncate">{text}</span>
              </label>
              <input
                className="field min-w-0 flex-1"
                aria-label={`${text}的名称`}
                autoComplete="off"
                value={isShown ? (label ?? text) : ''}
                disabled={!isShown}
                onChange={({ target }) => onChange({ ...value, [href]: target.value })}
              />
            </li>
          );
        })}
      </ul>
      <FieldNotes {...frame} />
    </fieldset>
  );
}

interface Link {
  text: string;
  href: string;
}

interface LinksProps extends SiteFrame {
  value: readonly Link[];
  onChange(value: Link[]): void;
}

export function LinksField({ value, onChange, disabled, ...frame }: LinksProps) {
  const put = (index: number, link: Link) => onChange(value.map((each, at) => (at === index ? link : each)));
  return (
    <fieldset className="m-0 p-0 border-0 min-w-0" disabled={disabled}>
      <legend className="mb-1 p-0 text-sm text-soft">导航旁的链接</legend>
      <ul role="list">
        {value.map((link, index) => (
          <li key={index} className="flex flex-wrap items-center gap-2 mb-2">
            <input
              className="field !w-28"
              aria-label={`第 ${index + 1} 个链接的文字`}
              placeholder="文字"
              autoComplete="off"
              value={link.text}
              onChange={({ target }) => put(index, { ...link, text: target.value })}
            />
            <input
              className="field min-w-40 flex-1"
              aria-label={`第 ${index + 1} 个链接的地址`}
              placeholder="/detail/… 或 https://…"
              autoComplete="off"
              value={link.href}
              onChange={({ target }) => put(index, { ...link, href: target.value })}
            />
            <Action
              isDangerous
              label={`去掉第 ${index + 1} 个链接`}
              onClick={() => {
                onChange(value.filter((_, at) => at !== index));
                document.getElementById(frame.id)?.focus();
              }}
            >
              去掉
            </Action>
          </li>
        ))}
      </ul>
      {value.length < SITE_BOUNDS.links && !disabled && (
        <TextButton
          id={frame.id}
          className="ml--1"
          onClick={() => onChange([...value, { text: '', href: '' }])}
        >
          加一个链接
        </TextButton>
      )}
      <FieldNotes {...frame} />
    </fieldset>
  );
}
