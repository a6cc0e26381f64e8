/** The bundler writes a style sheet of its own from what is imported. */
declare module "*.css";
