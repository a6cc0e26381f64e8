/** The bundler writes the imported styles to a separate style sheet. */
declare module "*.css";
