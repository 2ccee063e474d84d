/** The organization of the first start: what concerns the whole server, and no organization alone, is told to its admins. */
export const defaultOrganization = "default";
