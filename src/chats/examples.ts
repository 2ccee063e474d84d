import { receiptExample, snippetExample } from "../answers/examples.ts";

/** What the API page shows; tests hold these against the schemas. */

export const chatExample = {
  id: "0197a1c4-1f2e-7d10-a2b3-5c6d7e8f9012",
  createdAt: "2026-01-31T09:31:00.000Z",
  name: "Opening hours",
  userId: "admin",
  organizationId: "0197a1c0-0000-7000-8000-000000000001",
  documentId: null,
  partitionId: null,
  public: false,
  title: "Opening hours",
  logoUrl: null,
  brandSettings: null,
};

const question = {
  id: "0197a1c4-8a01-7e22-b3c4-6d7e8f901234",
  message: "When do you open in winter?",
  isSystem: false,
  organizationId: chatExample.organizationId,
  chatId: chatExample.id,
  createdAt: "2026-01-31T09:31:20.000Z",
  userId: "admin",
  sourceDocuments: [],
};

const answer = {
  ...question,
  id: "0197a1c4-8b40-7f33-84d5-7e8f90123456",
  message: "In winter the reading room opens at nine. [1]",
  isSystem: true,
  createdAt: "2026-01-31T09:31:20.041Z",
  sourceDocuments: [{ metadata: snippetExample.metadata, pageContent: snippetExample.metadata.content }],
};

export const chatWithMessagesExample = { ...chatExample, messages: [question, answer] };

export const sentMessageExample = { ...answer, doubt: null, receipt: receiptExample };
