import { isOffered } from '../../lib/client/offered.ts';
import { PICTURE_STATES } from '../../lib/contract/rules/list-filters.ts';
import { call } from '../../lib/stores/api.ts';
import { deletePictures } from '../../lib/stores/pictures/own-pictures.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { PagedList } from '../ui/paged/PagedList.tsx';
import { PlaceTabs } from '../ui/paged/PlaceTabs.tsx';
import { SelectionBar } from '../ui/paged/Selection.tsx';
import type { Asked } from '../ui/paged/place.ts';
import { PictureCard } from './PictureCard.tsx';
import { Action } from '../ui/Action.tsx';

const PICTURE_PAGE_SIZE = 24;
const FILTERS = { show: PICTURE_STATES } as const;
const TABS = [
  { show: '', text: '全部', empty: '还没有图片。写文章时粘贴或拖进来的图片都会在这里。' },
  { show: 'used', text: '在用', empty: '没有在用的图片。' },
  { show: 'history', text: '只在历史版本里', empty: '没有只在历史版本里的图片。' },
  { show: 'unused', text: '没有用到', empty: '没有闲着的图片，上传的都用上了。' },
];

const load = ({ show, ...paging }: Asked<typeof FILTERS>) =>
  call('pictureList', { ...paging, state: show === '' ? undefined : show }, { quiet: true });

export default forSignedIn(function PictureDashboard() {
  if (!isOffered('pictureList')) return <EmptyState message="这个网站的服务器不能管理图片。" />;
  return (
    <PagedList
      filters={FILTERS}
      pageSize={PICTURE_PAGE_SIZE}
      load={load}
      head={(place) => <PlaceTabs place={place} name="show" tabs={TABS} />}
      summary={(total) => `共 ${total} 张`}
      empty={({ show }) => <EmptyState message={TABS.find((tab) => tab.show === show)?.empty ?? ''} />}
    >
      {(pictures, { changed, selection }) => (
        <>
          <SelectionBar items={pictures} idOf={({ name }) => name} selection={selection} unit="张">
            {(chosen) => (
              <Action isDangerous work={() => deletePictures(chosen, changed)}>
                删除选中的
              </Action>
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
    </PagedList>
  );
});
