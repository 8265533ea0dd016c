import { useState } from 'react';
import type { StaffPage } from '../../../lib/contract/calls/page-calls.ts';
import { editUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { CheckField } from '../CheckField.tsx';

function SlugField({ slug, onChange, hint }: { slug: string; onChange(slug: string): void; hint: string }) {
  return (
    <LineField
      label="地址"
      hint={
        <>
          <bdi>/p/{slug.trim() || '…'}</bdi>。{hint}
        </>
      }
      dir="ltr"
      autoCapitalize="off"
      spellCheck={false}
      value={slug}
      onChange={onChange}
    />
  );
}

export interface Suggestion {
  title: string;
  slug: string;
}

/** Creates a draft and opens it in the editor. */
export function NewPage({ title: first, slug: firstSlug, onClose }: Suggestion & { onClose(): void }) {
  const [title, setTitle] = useState(first);
  const [slug, setSlug] = useState(firstSlug);
  const create = async () => {
    const { id } = await call('pageCreate', { title, slug }, { quiet: true });
    location.assign(editUrl(id));
  };
  return (
    <FormDialog title="新建页面" action="新建" onClose={onClose} onGiven={create}>
      <div className="grid gap-4">
        <LineField label="标题" dir="auto" value={title} onChange={setTitle} />
        <SlugField
          slug={slug}
          onChange={setSlug}
          hint="小写字母、数字、汉字，中间可以有 - _ . 。以后可以再改。"
        />
      </div>
    </FormDialog>
  );
}

export function ChangePage({
  page,
  onClose,
  changed,
}: {
  page: StaffPage;
  onClose(): void;
  changed(): void;
}) {
  const [slug, setSlug] = useState(page.slug);
  const [in_feeds, setInFeeds] = useState(page.in_feeds);
  const change = async () => {
    await call('pageChange', { id: page._id, slug, in_feeds }, { quiet: true });
    showNotice('已保存');
    changed();
    onClose();
  };
  return (
    <FormDialog title={`「${page.title}」的地址`} action="保存" onClose={onClose} onGiven={change}>
      <div className="grid gap-4">
        <SlugField slug={slug} onChange={setSlug} hint="改了以后，原来的地址会转到新的地址。" />
        <CheckField isOn={in_feeds} onChange={setInFeeds} hint="发布后和文章一起出现在本站的订阅里。">
          放进订阅源
        </CheckField>
      </div>
    </FormDialog>
  );
}
