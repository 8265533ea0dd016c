import { createChangeService } from './change-service.ts';
import { createInspectionService } from './inspection-service.ts';
import { createPreviewService } from '../preview/preview-service.ts';
import { createReviewService } from './review-service.ts';

type Parts = Parameters<typeof createChangeService>[0] &
  Parameters<typeof createInspectionService>[0] &
  Parameters<typeof createPreviewService>[0] &
  Parameters<typeof createReviewService>[0];

export const createReviewServices = (parts: Parts) => ({
  reviews: createReviewService(parts),
  previews: createPreviewService(parts),
  inspections: createInspectionService(parts),
  changes: createChangeService(parts),
});
