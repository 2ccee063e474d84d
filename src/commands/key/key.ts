/** A key as the API shows it. */
export interface Key {
  id: string;
  name: string;
  role: string;
  userId: string;
  partitionId: string | null;
  createdAt: string;
  expiresAt: string | null;
}
