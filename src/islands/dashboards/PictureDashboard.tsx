import { useStore } from '@nanostores/react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { readPage } from '../../lib/shared/urls.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { PICTURE_STATES, type PictureState } from '../../lib/contract/rules/own-list.ts';
import type { OwnPicture } from '../../lib/contract/calls/picture-calls.ts';
import { $query } from '../../lib/stores/account/address.ts';
import { call } from '../../lib/stores/api.ts';
import { deletePictures } from '../../lib/stores/pictures/own-pictures.ts';
import { createPagedList } from '../../lib/stores/paged-list.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { island } from '../ui/island.tsx';
import { useOnce } from '../ui/use-once.ts';
import { PagedSection } from './PagedSection.tsx';
import { PictureCard } from './PictureCard.tsx';
import { QueryLink } from './QueryLink.tsx';
import { SelectionBar, useSelection } from './articles/Selection.tsx';
import { SignedIn } from './SignedIn.tsx';

const PICTURE_PAGE_SIZE = 24;

interface PicturePlace {
  page: number;
  state: PictureState | undefined;
}

const PARTS: readonly { state: PictureState | undefined; text: string; empty: string }[] = [
  { state: undefined, text: '全部', empty: '还没有图片。写文章时粘贴或拖进来的图片都会在这里。' },
  { state: 'used', text: '在用', empty: '没有在用的图片。' },
  { state: 'history', text: '只在历史版本里', empty: '没有只在历史版本里的图片。' },
  { state: 'unused', text: '没有用到', empty: '没有闲着的图片，上传的都用上了。' },
];

export default island(function PictureDashboard({ children }: { children?: ReactNode }) {
  return (
    <SignedIn waiting={children}>
      {(username) =>
        isOffered('pictureList') ? (
          <Pictures key={username} />
        ) : (
          <EmptyState message="这个网站的服务器不能管理图片。" />
        )
      }
    </SignedIn>
  );
});

function readPlace(query: string): PicturePlace {
  const url = new URL(query, location.origin);
  const state = PICTURE_STATES.find((each) => each === url.searchParams.get('show'));
  return { page: readPage(url), state };
}

function queryOf({ page, state }: PicturePlace): string {
  const query = new URLSearchParams(state ? { show: state } : {});
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `?${query.toString()}` : '';
}

function Pictures() {
  const { page, state: part } = readPlace(useStore($query));
  const list = useMemo(
    () =>
      createPagedList<OwnPicture, PicturePlace>(PICTURE_PAGE_SIZE, { page: 1, state: undefined }, (asked) =>
        call('pictureList', { ...asked, pageSize: PICTURE_PAGE_SIZE }, { quiet: true }),
      ),
    [],
  );
  const state = useStore(list.$list);
  const place = { page, state: part };
  useEffect(() => void list.show({ page, state: part }), [list, page, part]);
  const selection = useSelection(queryOf(place));
  const shownPart = state.shown?.place.state;
  return (
    <>
      <nav aria-label="筛选" className="flex flex-wrap gap-x-6 text-sm">
        {PARTS.map((each) => (
          <QueryLink
            key={each.text}
            query={queryOf({ page: 1, state: each.state })}
            aria-current={each.state === part ? 'true' : undefined}
            className="nav-link min-w-11"
          >
            {each.text}
          </QueryLink>
        ))}
      </nav>
      <PagedSection
        state={state}
        asked={place}
        queryOf={queryOf}
        summary={(total) => `共 ${total} 张`}
        onRetry={() => void list.show(place)}
        onChange={list.refresh}
        empty={<EmptyState message={PARTS.find((each) => each.state === shownPart)?.empty ?? ''} />}
      >
        {(pictures, changed) => (
          <>
            <SelectionBar shown={pictures.map(({ name }) => name)} selection={selection} unit="张">
              {(names) => (
                <PictureActions
                  chosen={pictures.filter(({ name }) => names.includes(name))}
                  onChange={changed}
                />
              )}
            </SelectionBar>
            <ul role="list" className="mt-2 grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3">
              {pictures.map((picture, index) => (
                <PictureCard
                  key={picture.name}
                  picture={picture}
                  label={`第 ${index + 1} 张图片`}
                  selection={selection}
                  onChange={changed}
                />
              ))}
            </ul>
          </>
        )}
      </PagedSection>
    </>
  );
}

interface ActionProps {
  chosen: readonly OwnPicture[];
  onChange: () => void;
}

function PictureActions({ chosen, onChange }: ActionProps) {
  const [isBusy, once] = useOnce();
  return (
    <button
      type="button"
      className="action-danger"
      disabled={isBusy}
      onClick={() => void once(() => deletePictures(chosen, onChange))}
    >
      删除选中的
    </button>
  );
}
